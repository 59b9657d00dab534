import type { Schema } from '../../both/api/call-api.ts'
import { pageRows } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ListScreen } from '../../both/list/list-screen.tsx'
import { StateOf } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { BeforeAfter } from '../frame/panel.tsx'
import { approvalStates, sentence, approvalWords as words } from '../words/approvals.ts'
import { frameWords } from '../words/frame.ts'
import { logWords } from '../words/log.ts'
import { ApprovalPanel } from './approval-panel.tsx'

const columns: readonly Column<Schema<'Approval'>>[] = [
  { title: words.what, isMain: true, show: ({ what }) => sentence(what) },
  { title: fieldWords.account, show: ({ account, subject }) => account?.name ?? subject },
  { title: logWords.change, show: ({ before, after }) => <BeforeAfter before={before ?? '—'} after={after ?? '—'} /> },
  { title: fieldWords.reason, show: ({ reason }) => reason || '—' },
  { title: words.proposedBy, show: ({ proposed_by, created_at }) => `${proposed_by}, ${relativeMoment(created_at)}` },
  {
    title: fieldWords.state,
    show: ({ status }) => <StateOf {...approvalStates[status]} />,
  },
]

const { pending, decided } = words

/** The proposals that take two people: those that wait, and those that were decided. */
export default function ApprovalsScreen() {
  return (
    <ListScreen
      title={frameWords.approvals}
      lead={words.lead}
      at="/approvals"
      views={{ name: 'which', label: words.view, options: { pending, decided } }}
      topic="approvals"
      path="/desk/api/approvals"
      rows="approvals"
      asked={(_filters, which) => ({ which, limit: pageRows })}
      more={fieldWords.showOlder}
      columns={columns}
      keyOf={({ approval_id }) => approval_id}
      panelLabel={words.panel}
      panel={(id, _row, { onActed }) => <ApprovalPanel key={id} id={id} onActed={onActed} />}
      empty={(_isFiltered, view) =>
        view === 'pending' ? { title: words.nothingWaits, next: words.nothingWaitsNext } : { title: fieldWords.nothingDecided }
      }
    />
  )
}
