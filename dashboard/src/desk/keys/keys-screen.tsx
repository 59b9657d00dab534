import type { Schema } from '../../both/api/call-api.ts'
import { pageRows } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { ListScreen } from '../../both/list/list-screen.tsx'
import { StateOf } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { frameWords } from '../words/frame.ts'
import { keyStates, keyWords as words } from '../words/keys.ts'
import { KeyPanel } from './key-panel.tsx'

const columns: readonly Column<Schema<'DeskKey'>>[] = [
  { title: fieldWords.account, isMain: true, show: ({ account_name }) => account_name },
  { title: fieldWords.type, show: ({ type }) => words.types[type] },
  { title: fieldWords.key, show: ({ prefix, hint }) => <code style={{ whiteSpace: 'nowrap' }}>{`${prefix}…${hint}`}</code> },
  { title: fieldWords.state, show: ({ status }) => <StateOf {...keyStates[status]} /> },
  { title: fieldWords.made, show: ({ created_at }) => relativeMoment(created_at) },
  {
    title: fieldWords.lastUsed,
    show: ({ last_used_at: at, last_used_address: address }) =>
      at === null ? fieldWords.never : `${relativeMoment(at)}${address === null ? '' : `, ${address}`}`,
  },
]

const { pending, active, revoked, all } = words

/** The keys of all accounts, at first those that wait for the operator. */
export default function KeysScreen() {
  return (
    <ListScreen
      title={frameWords.keys}
      lead={words.lead}
      at="/keys"
      views={{ name: 'view', label: words.view, options: { pending, active, revoked, all } }}
      filterLabel={words.filters}
      filters={{
        type: { label: fieldWords.type, options: choicesOf(words.types), any: words.anyType },
        account: { label: fieldWords.account, placeholder: fieldWords.emailOrId },
      }}
      topic="keys"
      path="/desk/api/keys"
      rows="keys"
      asked={({ type, account }, view) => ({ status: view === 'all' ? undefined : view, type, account, limit: pageRows })}
      more={words.more}
      columns={columns}
      keyOf={({ key_id }) => key_id}
      panelLabel={words.panel}
      panel={(id, _row, { onActed }) => <KeyPanel key={id} id={id} onActed={onActed} />}
      empty={(isFiltered, view) =>
        view === 'pending' && !isFiltered ? { title: words.nothingWaits, next: words.nothingWaitsNext } : { title: words.none }
      }
    />
  )
}
