import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { operations } from '../../both/api/dashboard-api.d.ts'
import { Beside } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { LiveTable } from '../../both/list/paged-table.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { type Filters, useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { formatCounted, formatGhs } from '../../both/money/format-ghs.ts'
import { roleWords } from '../../both/role-words.ts'
import { sharedWords } from '../../both/words.ts'
import { useMay } from '../me.ts'
import { accountWords as words } from '../words/accounts.ts'
import type { AccountLine } from './account-calls.ts'
import { AccountState } from './account-facts.tsx'
import { AccountPanel } from './account-panel.tsx'
import css from './accounts.module.css'
import { NewAccount } from './new-account.tsx'

const filterNames = ['search', 'role', 'status', 'business', 'balance_below', 'active_within_days', 'quiet_for_days'] as const
type Name = (typeof filterNames)[number]
type Query = NonNullable<operations['deskListAccounts']['parameters']['query']>
/** Turns the filters of the address, which are all text, into the filters of the API. */
function queryOf({ balance_below: below, active_within_days: active, quiet_for_days: quiet, ...rest }: Filters<Name>): Query {
  return {
    ...(rest as Query),
    ...(below !== undefined && { balance_below: Number(below) }),
    ...(active !== undefined && { active_within_days: Number(active) }),
    ...(quiet !== undefined && { quiet_for_days: Number(quiet) }),
  }
}

type SetFilters = (change: Filters<Name>) => void

const columns: readonly Column<AccountLine>[] = [
  {
    title: words.name,
    show: ({ name, email }) => (
      <>
        {name}
        <span className={css.mail}>{email}</span>
      </>
    ),
    isMain: true,
  },
  { title: words.role, show: roleWords },
  { title: words.status, show: ({ status }) => <AccountState status={status} /> },
  {
    title: words.balance,
    show: ({ balance, is_low: isLow }) => (
      <>
        <b>{formatGhs(balance)}</b>
        {isLow && <span className={css.low}>{words.low}</span>}
      </>
    ),
    isFigure: true,
  },
  {
    title: words.sales,
    show: ({ sales, sales_counted_from: from }) => (
      <>
        {formatCounted(sales)}
        {from !== null && <span className={css.mail}>{sharedWords.since(from)}</span>}
      </>
    ),
    isFigure: true,
  },
  { title: words.lastActive, show: ({ last_active_at: at }) => (at === null ? words.never : relativeMoment(at)) },
]

/** Beside the panel there is room only for the columns by which people tell accounts apart. */
const besidePanel: readonly string[] = [words.name, words.status, words.balance]
const columnsBesidePanel = columns.filter(({ title }) => besidePanel.includes(title))

const option = (value: string, label: string) => ({ value, label })
const anything = option('', words.any)

/** The field for activity sets one of two filters: `active_within_days` or `quiet_for_days`. */
const activities = [
  anything,
  ...['1', '7', '30'].map((days) => option(`active_within_days=${days}`, words.activeWithin(days))),
  ...['7', '30', '90'].map((days) => option(`quiet_for_days=${days}`, words.quietFor(days))),
]

const typingMilliseconds = 150

/** Puts the search into the address once the typing pauses, and follows the address when something else changes it. */
function SearchField({ search, setFilters }: { readonly search: string; readonly setFilters: SetFilters }) {
  const [text, setText] = useState(search)
  const sent = useRef(search)
  useEffect(() => {
    if (text.trim() === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = text.trim()
      setFilters({ search: sent.current })
    }, typingMilliseconds)
    return () => clearTimeout(timer)
  }, [text, setFilters])
  useEffect(() => {
    if (search === sent.current) return
    sent.current = search
    setText(search)
  }, [search])
  return (
    <TextInput
      className={css.search ?? ''}
      type="search"
      label={words.search}
      description={words.searchHelp}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}

function FilterFields({ filters, setFilters }: { readonly filters: Filters<Name>; readonly setFilters: SetFilters }) {
  const field = (name: Name) => ({
    value: filters[name] ?? '',
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setFilters({ [name]: currentTarget.value }),
  })
  const { active_within_days: active, quiet_for_days: quiet } = filters
  const activity = active ? `active_within_days=${active}` : quiet ? `quiet_for_days=${quiet}` : ''
  return (
    <div className={css.filters}>
      <SearchField search={filters.search ?? ''} setFilters={setFilters} />
      <NativeSelect
        label={words.role}
        data={[anything, ...Object.entries(words.roles).map(([value, label]) => option(value, label))]}
        {...field('role')}
      />
      <NativeSelect
        label={words.status}
        data={[anything, option('active', words.statuses.active), option('suspended', words.statuses.suspended)]}
        {...field('status')}
      />
      <NativeSelect
        label={words.business}
        data={[anything, option('yes', words.isBusiness), option('no', words.isNoBusiness)]}
        {...field('business')}
      />
      <NativeSelect
        label={words.balance}
        data={[anything, ...['10', '50', '200', '1000'].map((ghs) => option(ghs, words.below(ghs)))]}
        {...field('balance_below')}
      />
      <NativeSelect
        label={words.activity}
        data={activities}
        value={activity}
        onChange={({ currentTarget }) => {
          const [name = '', days = ''] = currentTarget.value.split('=')
          setFilters({ active_within_days: '', quiet_for_days: '', ...(name !== '' && { [name]: days }) })
        }}
      />
    </div>
  )
}

const keyOf = ({ account_id: id }: AccountLine) => id

/** All accounts, with a search for anything that a caller may name, and the chosen account beside the list. */
export default function AccountsScreen() {
  const { account } = useParams<{ account?: string }>()
  const [, navigate] = useLocation()
  const mayManage = useMay('manage_accounts')
  const { filters, setFilters, search } = useFilters(filterNames)
  const isFiltered = Object.keys(filters).length > 0
  const query = useInfiniteQuery({
    queryKey: ['accounts', 'list', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/accounts', {
          params: { query: { ...queryOf(filters), ...(pageParam !== undefined && { after: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return (
    <Page title={words.title} isWide end={mayManage && <NewAccount />}>
      <Beside
        label={words.panel}
        panel={account === undefined ? undefined : <AccountPanel accountId={account} />}
        onClose={() => navigate(`/accounts${location.search}`)}
      >
        <FilterFields filters={filters} setFilters={setFilters} />
        {isFiltered && (
          <Button variant="subtle" mb={8} onClick={() => setFilters(Object.fromEntries(filterNames.map((name) => [name, ''])))}>
            {words.clear}
          </Button>
        )}
        <MorePages query={query} more={words.more}>
          {(pages) => {
            const rows = pages.flatMap((page) => page.accounts)
            if (rows.length > 0) {
              return (
                <LiveTable
                  name={search}
                  label={words.list}
                  columns={account === undefined ? columns : columnsBesidePanel}
                  rows={rows}
                  keyOf={keyOf}
                  selected={account}
                  onSelect={(id) => navigate(`/accounts/${id}${location.search}`)}
                />
              )
            }
            return isFiltered ? (
              <Empty title={words.empty}>{words.emptyNext}</Empty>
            ) : (
              <Empty title={words.none}>{words.noneNext}</Empty>
            )
          }}
        </MorePages>
      </Beside>
    </Page>
  )
}
