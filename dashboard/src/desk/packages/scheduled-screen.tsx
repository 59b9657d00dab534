import { choicesOf } from '../../both/list/filter-bar.tsx'
import { ListScreen } from '../../both/list/list-screen.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { packageWords } from '../words/packages.ts'
import type { PriceSet } from './package-calls.ts'
import css from './packages.module.css'
import { PriceTabs } from './price-tabs.tsx'
import { ScheduledPanel, SetState, showMinute } from './scheduled-panel.tsx'

const words = packageWords.sets

const columns: readonly Column<PriceSet>[] = [
  { title: words.minute, show: ({ effective_at: at }) => showMinute(at), isMain: true },
  {
    title: words.what,
    show: ({ packages, note }) => (
      <span>
        {words.count(packages)}
        {note !== null && <span className={css.note}>{note}</span>}
      </span>
    ),
  },
  { title: words.by, show: ({ made_by: by }) => by },
  { title: words.state, show: (set) => <SetState set={set} /> },
]

const columnsBesidePanel = columns.filter(({ title }) => title !== words.by)
export default function ScheduledScreen() {
  return (
    <ListScreen
      title={words.title}
      above={() => <PriceTabs chosen="scheduled" />}
      at="/packages/scheduled"
      filters={{ show: { label: words.show, options: choicesOf({ open: words.open, ended: words.ended }) } }}
      topic="packages"
      path="/desk/api/packages/scheduled"
      rows="sets"
      asked={({ show: state = 'open' }) => ({ state })}
      more={words.more}
      label={words.list}
      columns={columns}
      columnsBesidePanel={columnsBesidePanel}
      keyOf={({ set_id }) => set_id}
      panelLabel={words.panel}
      panel={(id) => <ScheduledPanel key={id} setId={id} />}
      empty={() => ({ title: words.empty, next: words.emptyNext })}
    />
  )
}
