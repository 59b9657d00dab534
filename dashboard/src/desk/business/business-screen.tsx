import { useInfiniteQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Beside } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { State } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { Choices } from '../frame/choices.tsx'
import { NewRows } from '../frame/new-rows.tsx'
import { pageRows } from '../frame/page-rows.ts'
import { useActs } from '../frame/use-acts.ts'
import { useChosen } from '../frame/use-chosen.ts'
import { useLiveRows } from '../frame/use-live-rows.ts'
import { requestStates, businessWords as words } from '../words/business.ts'
import { frameWords } from '../words/frame.ts'
import { RequestPanel } from './request-panel.tsx'

type Request = components['schemas']['DeskBusinessRequest']
type View = 'waiting' | 'decided'

const keyOf = (request: Request) => request.request_id

const columns: readonly Column<Request>[] = [
  { title: words.name, isMain: true, show: ({ name }) => name },
  { title: words.number, show: ({ registration_number }) => registration_number },
  { title: words.purpose, show: ({ purpose }) => purpose },
  { title: words.account, show: ({ email }) => email },
  { title: words.asked, show: ({ asked_at }) => relativeMoment(asked_at) },
  { title: words.state, show: ({ state }) => <State tone={requestStates[state].tone}>{requestStates[state].word}</State> },
]

type ListProps = {
  readonly name: string
  readonly view: View
  readonly requests: readonly Request[]
  readonly selected: string | undefined
  readonly onSelect: (request: Request) => void
}

function RequestList({ name, view, requests, selected, onSelect }: ListProps) {
  const rows = useLiveRows(name, requests, keyOf)
  if (rows.shown.length === 0) {
    return view === 'waiting' ? <Empty title={words.nothingWaits}>{words.nothingWaitsNext}</Empty> : <Empty title={words.none} />
  }
  return (
    <>
      <NewRows rows={rows} />
      <TableOrCards
        label={frameWords.business}
        columns={columns}
        rows={rows.shown}
        keyOf={keyOf}
        onSelect={onSelect}
        selectedKey={selected}
      />
    </>
  )
}

/** Requests of accounts to be approved as a business: what waits, and what was decided. */
export default function BusinessScreen() {
  const { filters, setFilters } = useFilters(['view'])
  const { chosen, choose } = useChosen('/business')
  const view: View = filters.view === 'decided' ? 'decided' : 'waiting'
  const { name, onActed } = useActs(view)
  const query = useInfiniteQuery({
    queryKey: ['desk', 'business', 'list', view],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/business', { params: { query: { state: view, limit: pageRows, ...(after && { after }) } }, signal }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return (
    <Page title={frameWords.business} isWide>
      <Beside
        label={words.panel}
        panel={chosen && <RequestPanel key={chosen} id={chosen} onActed={onActed} />}
        onClose={() => choose()}
      >
        <p>{words.lead}</p>
        <div style={{ margin: '12px 0' }}>
          <Choices
            label={words.view}
            value={view}
            options={[
              { value: 'waiting', label: words.waiting },
              { value: 'decided', label: words.decided },
            ]}
            onChoose={(given) => setFilters({ view: given === 'waiting' ? '' : given })}
          />
        </div>
        <MorePages query={query} more={words.more}>
          {(pages) => (
            <RequestList
              name={name}
              view={view}
              requests={pages.flatMap((page) => page.requests)}
              selected={chosen}
              onSelect={({ request_id: id }) => choose(id)}
            />
          )}
        </MorePages>
      </Beside>
    </Page>
  )
}
