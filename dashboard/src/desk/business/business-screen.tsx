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
import { useActs } from '../frame/use-acts.ts'
import { useChosen } from '../frame/use-chosen.ts'
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

/** Requests of accounts to be approved as a business: those that wait, and those that were decided. */
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
        <Choices
          label={words.view}
          value={view}
          options={[
            { value: 'waiting', label: words.waiting },
            { value: 'decided', label: words.decided },
          ]}
          onChoose={(given) => setFilters({ view: given === 'waiting' ? '' : given })}
        />
        <MorePages query={query} more={words.more}>
          {(pages) => (
            <LiveTable
              name={name}
              label={frameWords.business}
              columns={columns}
              rows={pages.flatMap((page) => page.requests)}
              keyOf={keyOf}
              selected={chosen}
              onSelect={choose}
              empty={
                view === 'waiting' ? (
                  <Empty title={words.nothingWaits}>{words.nothingWaitsNext}</Empty>
                ) : (
                  <Empty title={words.none} />
                )
              }
            />
          )}
        </MorePages>
      </Beside>
    </Page>
  )
}
