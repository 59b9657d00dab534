import type { Schema } from '../../both/api/call-api.ts'
import { pageRows } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ListScreen } from '../../both/list/list-screen.tsx'
import { StateOf } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { frameWords } from '../words/frame.ts'
import { problemStates, problemWords as words } from '../words/problems.ts'
import { ProblemPanel } from './problem-panel.tsx'
import css from './problems.module.css'

const columns: readonly Column<Schema<'DeskProblem'>>[] = [
  { title: fieldWords.account, isMain: true, show: ({ account_name }) => account_name },
  { title: words.text, show: ({ text }) => <span className={css.line}>{text}</span> },
  { title: fieldWords.about, show: ({ order_reference: order, top_up_reference: topUp }) => order ?? topUp },
  { title: words.reported, show: ({ reported_at }) => relativeMoment(reported_at) },
  { title: fieldWords.state, show: ({ state }) => <StateOf {...problemStates[state]} /> },
]

const columnsBesidePanel = columns.filter(({ title }) => title !== fieldWords.about)

const { waiting, ended } = words

/** Problems that resellers reported: those that wait, the longest first, and those that have ended. */
export default function ProblemsScreen() {
  return (
    <ListScreen
      title={frameWords.problems}
      lead={words.lead}
      at="/problems"
      views={{ name: 'view', label: words.view, options: { waiting, ended } }}
      topic="problems"
      path="/desk/api/problems"
      rows="problems"
      asked={(_filters, state) => ({ state, limit: pageRows })}
      more={words.more}
      columns={columns}
      columnsBesidePanel={columnsBesidePanel}
      keyOf={({ problem_id }) => problem_id}
      panelLabel={words.panel}
      panel={(id, _row, { onActed }) => <ProblemPanel key={id} id={id} onActed={onActed} />}
      empty={(_isFiltered, view) =>
        view === 'waiting' ? { title: words.nothingWaits, next: words.nothingWaitsNext } : { title: words.nothingEnded }
      }
    />
  )
}
