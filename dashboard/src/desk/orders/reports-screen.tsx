import type { AnswerOf } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ListScreen } from '../../both/list/list-screen.tsx'
import { State } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import look from '../frame/look.module.css'
import { deskOrderWords, reportWords } from '../words/orders.ts'
import { OrderState } from './order-columns.tsx'
import { OrderPanel } from './order-panel.tsx'
import { OrderTabs } from './order-tabs.tsx'

type Report = AnswerOf<'/desk/api/order-reports'>['reports'][number]

function Said({ report: { reason, answer, found } }: { readonly report: Report }) {
  return (
    <div>
      {reason === '' ? <span className="soft fine">{reportWords.nothingSaid}</span> : reason}
      {answer !== null && (
        <div className="soft fine">
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
  { title: reportWords.reported, show: ({ reported_at: at }) => <span className={look.nowrap}>{relativeMoment(at)}</span> },
  { title: fieldWords.account, show: ({ account }) => account ?? '' },
  { title: fieldWords.what, show: ({ title }) => title },
  { title: fieldWords.recipient, show: ({ recipient }) => recipient, isMain: true },
  { title: reportWords.said, show: (report) => <Said report={report} /> },
  { title: reportWords.state, show: ({ status }) => <OrderState status={status} /> },
]

/** Beside a panel only these columns have room. The panel shows the other facts. */
const columnsBesidePanel = columns.filter(({ title }) => title !== fieldWords.what && title !== fieldWords.account)

const { waiting, answered } = reportWords

/**
 * The orders that resellers report as not delivered, and beside them the chosen order. Waiting reports come oldest first,
 * answered ones newest first.
 */
export default function ReportsScreen() {
  return (
    <ListScreen
      title={reportWords.title}
      above={() => <OrderTabs chosen="reports-of-orders" />}
      at="/reports-of-orders"
      views={{ name: 'state', label: reportWords.tabs, options: { waiting, answered }, areLinks: true }}
      topic="orders"
      path="/desk/api/order-reports"
      rows="reports"
      asked={(_filters, state) => ({ state })}
      more={reportWords.more}
      columns={columns}
      columnsBesidePanel={columnsBesidePanel}
      keyOf={({ order_id }) => order_id}
      panelLabel={deskOrderWords.panel}
      panel={(order) => <OrderPanel key={order} order={order} />}
      empty={(_isFiltered, view) =>
        view === 'waiting' ? { title: reportWords.empty, next: reportWords.emptyNext } : { title: reportWords.emptyAnswered }
      }
    />
  )
}
