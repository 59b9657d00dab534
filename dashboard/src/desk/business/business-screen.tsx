import type { Schema } from '../../both/api/call-api.ts'
import { pageRows } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ListScreen } from '../../both/list/list-screen.tsx'
import { StateOf } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { requestStates, businessWords as words } from '../words/business.ts'
import { frameWords } from '../words/frame.ts'
import { RequestPanel } from './request-panel.tsx'

const columns: readonly Column<Schema<'DeskBusinessRequest'>>[] = [
  { title: words.name, isMain: true, show: ({ name }) => name },
  { title: fieldWords.registrationNumber, show: ({ registration_number }) => registration_number },
  { title: fieldWords.purpose, show: ({ purpose }) => purpose },
  { title: fieldWords.account, show: ({ email }) => email },
  { title: fieldWords.asked, show: ({ asked_at }) => relativeMoment(asked_at) },
  { title: fieldWords.state, show: ({ state }) => <StateOf {...requestStates[state]} /> },
]

const { waiting, decided } = words

/** Requests of accounts to be approved as a business: those that wait, and those that were decided. */
export default function BusinessScreen() {
  return (
    <ListScreen
      title={frameWords.business}
      lead={words.lead}
      at="/business"
      views={{ name: 'view', label: words.view, options: { waiting, decided } }}
      topic="business"
      path="/desk/api/business"
      rows="requests"
      asked={(_filters, state) => ({ state, limit: pageRows })}
      more={words.more}
      columns={columns}
      keyOf={({ request_id }) => request_id}
      panelLabel={words.panel}
      panel={(id, _row, { onActed }) => <RequestPanel key={id} id={id} onActed={onActed} />}
      empty={(_isFiltered, view) =>
        view === 'waiting' ? { title: words.nothingWaits, next: words.nothingWaitsNext } : { title: fieldWords.nothingDecided }
      }
    />
  )
}
