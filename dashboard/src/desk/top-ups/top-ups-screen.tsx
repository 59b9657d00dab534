import { Link } from 'wouter'
import type { Schema } from '../../both/api/call-api.ts'
import { pageRows } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ListScreen } from '../../both/list/list-screen.tsx'
import { StateOf } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { groupDigits } from '../../both/phones.ts'
import { frameWords } from '../words/frame.ts'
import { topUpStates, topUpWords as words } from '../words/top-ups.ts'
import { TopUpPanel } from './top-up-panel.tsx'

type TopUp = Schema<'DeskTopUp'>

const columns: readonly Column<TopUp>[] = [
  { title: fieldWords.account, isMain: true, show: ({ account_name }) => account_name },
  { title: fieldWords.amount, isFigure: true, show: ({ amount }) => formatGhs(amount) },
  { title: fieldWords.way, show: ({ way }) => words.ways[way] ?? way },
  {
    title: fieldWords.number,
    show: ({ transfer_reference: number, payer_phone: phone, reference }) =>
      number ?? (phone === null ? reference : groupDigits(phone)),
  },
  { title: fieldWords.state, show: ({ state }) => <StateOf {...topUpStates[state]} /> },
  { title: fieldWords.made, show: ({ created_at }) => relativeMoment(created_at) },
]

const states = (Object.keys(topUpStates) as TopUp['state'][]).map((value) => ({ value, label: topUpStates[value].word }))

/** Top-ups of resellers, in two views: those that wait for people, and all. */
export default function TopUpsScreen() {
  return (
    <ListScreen
      title={frameWords.topUps}
      end={<Link href="/gateways">{words.gateways}</Link>}
      lead={words.lead}
      at="/top-ups"
      views={{ name: 'view', label: words.view, options: { forYou: words.forYou, all: fieldWords.all } }}
      filterLabel={words.filters}
      filters={{
        state: { label: fieldWords.state, options: states, any: words.anyState, views: ['all'] },
        account: { label: fieldWords.account, placeholder: fieldWords.emailOrId },
        transfer: { label: words.transfer, lengthMax: 60 },
      }}
      topic="top-ups"
      path="/desk/api/top-ups"
      rows="top_ups"
      asked={(filters, view) => ({ ...filters, is_for_people: view === 'all' ? undefined : true, limit: pageRows })}
      more={words.more}
      columns={columns}
      keyOf={({ top_up_id }) => top_up_id}
      panelLabel={words.panel}
      panel={(id, _row, { onActed }) => <TopUpPanel key={id} id={id} onActed={onActed} />}
      empty={(isFiltered, view) =>
        view === 'forYou' && !isFiltered ? { title: words.nothingWaits, next: words.nothingWaitsNext } : { title: words.none }
      }
    />
  )
}
