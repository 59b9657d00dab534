import { NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
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
import { Choices } from '../frame/choices.tsx'
import { FilterBar } from '../frame/filter-bar.tsx'
import { LiveTable } from '../frame/live-table.tsx'
import { pageRows } from '../frame/page-rows.ts'
import { useActs } from '../frame/use-acts.ts'
import { useChosen } from '../frame/use-chosen.ts'
import { frameWords } from '../words/frame.ts'
import { keyStates, keyWords as words } from '../words/keys.ts'
import { KeyPanel } from './key-panel.tsx'

type Key = components['schemas']['DeskKey']

const keyOf = (key: Key) => key.key_id

const columns: readonly Column<Key>[] = [
  { title: words.account, isMain: true, show: ({ account_name }) => account_name },
  { title: words.type, show: ({ type }) => words.types[type] },
  { title: words.key, show: ({ prefix, hint }) => <code style={{ whiteSpace: 'nowrap' }}>{`${prefix}…${hint}`}</code> },
  { title: words.state, show: ({ status }) => <State tone={keyStates[status].tone}>{keyStates[status].word}</State> },
  { title: words.made, show: ({ created_at }) => relativeMoment(created_at) },
  {
    title: words.lastUsed,
    show: ({ last_used_at: at, last_used_address: address }) =>
      at === null ? words.never : `${relativeMoment(at)}${address === null ? '' : `, ${address}`}`,
  },
]

const states = ['pending', 'active', 'revoked'] as const
type Status = (typeof states)[number]
const views = ['pending', 'active', 'revoked', 'all'] as const
type View = (typeof views)[number]
const types = ['standard', 'commission', 'sms'] as const

const oneOf = <T extends string>(values: readonly T[], text: string | undefined): T | undefined =>
  values.find((value) => value === text)

type Given = Filters<'view' | 'type' | 'account'>

function useKeys(filters: Given, view: View) {
  const status: Status | undefined = view === 'all' ? undefined : view
  const type = oneOf(types, filters.type)
  const asked = { ...(status && { status }), ...(type && { type }), ...(filters.account && { account: filters.account }) }
  return useInfiniteQuery({
    queryKey: ['desk', 'keys', 'list', asked],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/keys', { params: { query: { ...asked, limit: pageRows, ...(after && { after }) } }, signal }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

function KeyFilters({ filters, onShow }: { readonly filters: Given; readonly onShow: (change: Given) => void }) {
  return (
    <FilterBar label={words.filters} names={['type', 'account']} filters={filters} onShow={onShow}>
      <NativeSelect
        label={words.type}
        name="type"
        defaultValue={filters.type ?? ''}
        data={[{ value: '', label: words.anyType }, ...types.map((value) => ({ value, label: words.types[value] }))]}
      />
      <TextInput
        label={words.account}
        name="account"
        placeholder={words.accountHelp}
        autoComplete="off"
        maxLength={254}
        defaultValue={filters.account ?? ''}
      />
    </FilterBar>
  )
}

/** The keys of all accounts, at first those that wait for the operator. */
export default function KeysScreen() {
  const { filters, setFilters } = useFilters(['view', 'type', 'account'])
  const { chosen, choose } = useChosen('/keys')
  const view = oneOf(views, filters.view) ?? 'pending'
  const query = useKeys(filters, view)
  const { name, onActed } = useActs(JSON.stringify([view, filters.type, filters.account]))
  return (
    <Page title={frameWords.keys} isWide>
      <Beside
        label={words.panel}
        panel={chosen && <KeyPanel key={chosen} id={chosen} onActed={onActed} />}
        onClose={() => choose()}
      >
        <p>{words.lead}</p>
        <Choices
          label={words.view}
          value={view}
          options={views.map((value) => ({ value, label: words[value] }))}
          onChoose={(given) => setFilters({ view: given === 'pending' ? '' : given })}
        />
        <KeyFilters filters={filters} onShow={setFilters} />
        <MorePages query={query} more={words.more}>
          {(pages) => (
            <LiveTable
              name={name}
              label={frameWords.keys}
              columns={columns}
              rows={pages.flatMap((page) => page.keys)}
              keyOf={keyOf}
              selected={chosen}
              onSelect={choose}
              empty={
                view === 'pending' && !filters.account && !filters.type ? (
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
