import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useLocation, useRoute } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Beside } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { State } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { LiveTable } from '../frame/live-table.tsx'
import { deskOrderWords, reportWords } from '../words/orders.ts'
import { OrderState } from './order-columns.tsx'
import { OrderPanel } from './order-panel.tsx'
import { OrderTabs } from './order-tabs.tsx'
import css from './orders.module.css'

type Report = components['schemas']['DeskOrderReportPage']['reports'][number]

function Said({ report: { reason, answer, found } }: { readonly report: Report }) {
  return (
    <div>
      {reason === '' ? <span className={css.note}>{reportWords.nothingSaid}</span> : reason}
      {answer !== null && (
        <div className={css.note}>
          {found !== null && (
            <State tone={found === 'delivered' ? 'done' : found === 'unclear' ? 'wait' : 'fail'}>
              {reportWords.foundWords[found]}
            </State>
          )}{' '}
          {answer}
        </div>
      )}
    </div>
  )
}

const columns: readonly Column<Report>[] = [
  { title: reportWords.reported, show: ({ reported_at: at }) => <span className={css.nowrap}>{relativeMoment(at)}</span> },
  { title: reportWords.account, show: ({ account }) => account ?? '' },
  { title: reportWords.what, show: ({ title }) => title },
  { title: reportWords.recipient, show: ({ recipient }) => recipient, isMain: true },
  { title: reportWords.said, show: (report) => <Said report={report} /> },
  { title: reportWords.state, show: ({ status }) => <OrderState status={status} /> },
]

/** Beside a panel, which shows the rest, there is room for less. */
const columnsBesidePanel = columns.filter(({ title }) => title !== reportWords.what && title !== reportWords.account)

const keyOf = (report: Report) => report.order_id

function useAskReports(state: 'waiting' | 'answered') {
  return useInfiniteQuery({
    queryKey: ['desk', 'orders', 'reports', state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { state, ...(pageParam !== undefined && { after: pageParam }) }
      return answerOf(() => api.GET('/desk/api/order-reports', { params: { query }, signal }))
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/**
 * The orders that resellers report as not delivered, and beside them the chosen order. Waiting reports come oldest first,
 * answered ones newest first.
 */
export default function ReportsScreen() {
  const { filters, search } = useFilters(['state'])
  const [, params] = useRoute('/reports-of-orders/:order')
  const [, navigate] = useLocation()
  const state = filters.state === 'answered' ? 'answered' : 'waiting'
  const query = useAskReports(state)
  const selected = params?.order
  const choices = [
    { state: 'waiting', href: '/reports-of-orders', title: reportWords.waiting },
    { state: 'answered', href: '/reports-of-orders?state=answered', title: reportWords.answered },
  ] as const
  return (
    <Page title={reportWords.title} isWide>
      <Beside
        label={deskOrderWords.panel}
        panel={selected === undefined ? undefined : <OrderPanel key={selected} order={selected} />}
        onClose={() => navigate(`/reports-of-orders${search}`)}
      >
        <OrderTabs chosen="reports" />
        <nav className={css.choices} aria-label={reportWords.tabs}>
          {choices.map((choice) => (
            <Link key={choice.state} href={choice.href} aria-current={choice.state === state ? 'page' : undefined}>
              {choice.title}
            </Link>
          ))}
        </nav>
        <MorePages query={query} more={reportWords.more}>
          {(pages) => {
            const reports = pages.flatMap((page) => page.reports)
            if (reports.length > 0) {
              return (
                <LiveTable
                  key={state}
                  name={state}
                  label={reportWords.title}
                  columns={selected === undefined ? columns : columnsBesidePanel}
                  rows={reports}
                  keyOf={keyOf}
                  selected={selected}
                  onSelect={(order) => navigate(`/reports-of-orders/${order}${search}`)}
                />
              )
            }
            return state === 'waiting' ? (
              <Empty title={reportWords.empty}>{reportWords.emptyNext}</Empty>
            ) : (
              <Empty title={reportWords.emptyAnswered} />
            )
          }}
        </MorePages>
      </Beside>
    </Page>
  )
}
