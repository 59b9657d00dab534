import { useInfiniteQuery } from '@tanstack/react-query'
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
import { Choices } from '../frame/choices.tsx'
import { LiveTable } from '../frame/live-table.tsx'
import { pageRows } from '../frame/page-rows.ts'
import { BeforeAfter } from '../frame/panel.tsx'
import { useActs } from '../frame/use-acts.ts'
import { useChosen } from '../frame/use-chosen.ts'
import { approvalStates, sentence, approvalWords as words } from '../words/approvals.ts'
import { frameWords } from '../words/frame.ts'
import { ApprovalPanel } from './approval-panel.tsx'

type Approval = components['schemas']['Approval']
type Which = 'pending' | 'decided'

const keyOf = (approval: Approval) => approval.approval_id

const columns: readonly Column<Approval>[] = [
  { title: words.what, isMain: true, show: ({ what }) => sentence(what) },
  { title: words.account, show: ({ account, subject }) => account?.name ?? subject },
  { title: words.change, show: ({ before, after }) => <BeforeAfter before={before ?? '—'} after={after ?? '—'} /> },
  { title: words.reason, show: ({ reason }) => reason || '—' },
  { title: words.proposedBy, show: ({ proposed_by, created_at }) => `${proposed_by}, ${relativeMoment(created_at)}` },
  {
    title: words.state,
    show: ({ status }) => <State tone={approvalStates[status].tone}>{approvalStates[status].word}</State>,
  },
]

/** The proposals that take two people: those that wait, and those that were decided. */
export default function ApprovalsScreen() {
  const { filters, setFilters } = useFilters(['which'])
  const { chosen, choose } = useChosen('/approvals')
  const which: Which = filters.which === 'decided' ? 'decided' : 'pending'
  const query = useInfiniteQuery({
    queryKey: ['desk', 'approvals', 'list', which],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/approvals', { params: { query: { which, limit: pageRows, ...(after && { after }) } }, signal }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const { name, onActed } = useActs(which)
  return (
    <Page title={frameWords.approvals} isWide>
      <Beside
        label={words.panel}
        panel={chosen && <ApprovalPanel key={chosen} id={chosen} onActed={onActed} />}
        onClose={() => choose()}
      >
        <p>{words.lead}</p>
        <Choices
          label={words.view}
          value={which}
          options={[
            { value: 'pending', label: words.pending },
            { value: 'decided', label: words.decided },
          ]}
          onChoose={(view) => setFilters({ which: view === 'pending' ? '' : view })}
        />
        <MorePages query={query} more={words.more}>
          {(pages) => (
            <LiveTable
              name={name}
              label={frameWords.approvals}
              columns={columns}
              rows={pages.flatMap((page) => page.approvals)}
              keyOf={keyOf}
              selected={chosen}
              onSelect={choose}
              empty={
                which === 'pending' ? (
                  <Empty title={words.nothingWaits}>{words.nothingWaitsNext}</Empty>
                ) : (
                  <Empty title={words.nothingDecided} />
                )
              }
            />
          )}
        </MorePages>
      </Beside>
    </Page>
  )
}
