import { NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Beside } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { State } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { type Filters, useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { showPhone } from '../../both/phones.ts'
import { Choices } from '../frame/choices.tsx'
import { FilterBar } from '../frame/filter-bar.tsx'
import { LiveTable } from '../frame/live-table.tsx'
import { pageRows } from '../frame/page-rows.ts'
import { useActs } from '../frame/use-acts.ts'
import { useChosen } from '../frame/use-chosen.ts'
import { frameWords } from '../words/frame.ts'
import { topUpStates, topUpWords as words } from '../words/top-ups.ts'
import { TopUpPanel } from './top-up-panel.tsx'

type TopUp = components['schemas']['DeskTopUp']
type Status = TopUp['state']

const keyOf = (topUp: TopUp) => topUp.top_up_id

const columns: readonly Column<TopUp>[] = [
  { title: words.account, isMain: true, show: ({ account_name }) => account_name },
  { title: words.amount, isFigure: true, show: ({ amount }) => formatGhs(amount) },
  { title: words.way, show: ({ way }) => words.ways[way] ?? way },
  {
    title: words.proof,
    show: ({ transfer_reference: number, payer_phone: phone, reference }) =>
      number ?? (phone === null ? reference : showPhone(phone)),
  },
  { title: words.state, show: ({ state }) => <State tone={topUpStates[state].tone}>{topUpStates[state].word}</State> },
  { title: words.made, show: ({ created_at }) => relativeMoment(created_at) },
]

const names = ['state', 'account', 'transfer'] as const
type Given = Filters<'view' | (typeof names)[number]>

const statusOf = (text: string | undefined): Status | undefined =>
  (Object.keys(topUpStates) as Status[]).find((state) => state === text)

/** The filters as the server takes them. Unless `view` is `all`, only top-ups that wait for people are listed, in any state. */
function askedOf({ view, state, account, transfer }: Given) {
  const status = statusOf(state)
  return {
    ...(view !== 'all' && { is_for_people: true }),
    ...(view === 'all' && status && { state: status }),
    ...(account && { account }),
    ...(transfer && { transfer }),
  }
}

function TopUpFilters({ filters, onShow }: { readonly filters: Given; readonly onShow: (change: Given) => void }) {
  const states = (Object.keys(topUpStates) as Status[]).map((value) => ({ value, label: topUpStates[value].word }))
  return (
    <FilterBar
      label={words.filters}
      names={filters.view === 'all' ? names : (['account', 'transfer'] as const)}
      filters={filters}
      onShow={onShow}
    >
      {filters.view === 'all' && (
        <NativeSelect
          label={words.state}
          name="state"
          defaultValue={filters.state ?? ''}
          data={[{ value: '', label: words.anyState }, ...states]}
        />
      )}
      <TextInput
        label={words.account}
        name="account"
        placeholder={words.accountHelp}
        autoComplete="off"
        maxLength={254}
        defaultValue={filters.account ?? ''}
      />
      <TextInput label={words.transfer} name="transfer" autoComplete="off" maxLength={60} defaultValue={filters.transfer ?? ''} />
    </FilterBar>
  )
}

/** Top-ups of resellers: those that wait for people, and all others. */
export default function TopUpsScreen() {
  const { filters, setFilters } = useFilters(['view', ...names])
  const { chosen, choose } = useChosen('/top-ups')
  const asked = askedOf(filters)
  const { name, onActed } = useActs(JSON.stringify(asked))
  const query = useInfiniteQuery({
    queryKey: ['desk', 'top-ups', 'list', asked],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/top-ups', { params: { query: { ...asked, limit: pageRows, ...(after && { after }) } }, signal }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return (
    <Page title={frameWords.topUps} isWide end={<Link href="/gateways">{words.gateways}</Link>}>
      <Beside
        label={words.panel}
        panel={chosen && <TopUpPanel key={chosen} id={chosen} onActed={onActed} />}
        onClose={() => choose()}
      >
        <p>{words.lead}</p>
        <Choices
          label={words.view}
          value={filters.view === 'all' ? 'all' : 'forYou'}
          options={[
            { value: 'forYou', label: words.forYou },
            { value: 'all', label: words.all },
          ]}
          onChoose={(view) => setFilters({ view: view === 'all' ? 'all' : '', state: '' })}
        />
        <TopUpFilters filters={filters} onShow={setFilters} />
        <MorePages query={query} more={words.more}>
          {(pages) => (
            <LiveTable
              name={name}
              label={frameWords.topUps}
              columns={columns}
              rows={pages.flatMap((page) => page.top_ups)}
              keyOf={keyOf}
              selected={chosen}
              onSelect={choose}
              empty={
                JSON.stringify(asked) === JSON.stringify(askedOf({})) ? (
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
