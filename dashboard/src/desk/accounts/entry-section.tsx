import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components, operations } from '../../both/api/dashboard-api.d.ts'
import { Section } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { listMonths } from '../../both/moments/list-months.ts'
import { StatementFiles } from '../../both/money/statement-files.tsx'
import { ledgerWords, accountWords as words } from '../words/accounts.ts'
import { type Account, type PurseName, pathOf, showPurse } from './account-calls.ts'
import css from './accounts.module.css'

type Entry = components['schemas']['LedgerEntry']
type Query = operations['deskListAccountEntries']['parameters']['query']

const purses = { main: words.main, commission: words.commission, sms_credits: words.smsCredits } as const
const purseNames = Object.keys(purses) as PurseName[]
const filterNames = ['purse', 'kind', 'from', 'to'] as const

function About({ entry: { note, reference, order } }: { readonly entry: Entry }) {
  const text = note ?? reference
  return order === null ? text : <Link href={`/orders/${encodeURIComponent(order)}`}>{text}</Link>
}

const columnsIn = (purse: PurseName): readonly Column<Entry>[] => [
  { title: words.kind, show: ({ kind }) => ledgerWords[kind] ?? kind, isMain: true },
  { title: words.about, show: (entry) => <About entry={entry} /> },
  { title: words.when, show: ({ at }) => relativeMoment(at) },
  { title: words.before, show: (entry) => showPurse(purse, entry.balance_before), isFigure: true },
  {
    title: words.amount,
    show: ({ amount }) => (
      <b>
        {amount > 0 ? '+' : ''}
        {showPurse(purse, amount)}
      </b>
    ),
    isFigure: true,
  },
  { title: words.after, show: (entry) => showPurse(purse, entry.balance_after), isFigure: true },
]

/** Made once, because with a new array each time the table would draw all rows again. */
const columnsOf: Readonly<Record<PurseName, readonly Column<Entry>[]>> = {
  main: columnsIn('main'),
  commission: columnsIn('commission'),
  sms_credits: columnsIn('sms_credits'),
}

function Statement({ accountId, purse }: { readonly accountId: string; readonly purse: PurseName }) {
  const months = listMonths()
  const [month, setMonth] = useState(months[0]?.value ?? '')
  const { data } = useQuery({
    queryKey: ['accounts', accountId, 'statement', purse, month],
    queryFn: ({ signal }) =>
      answerOf(() =>
        api.GET('/desk/api/accounts/{account_id}/statement', {
          params: { ...pathOf(accountId), query: { purse, month } },
          signal,
        }),
      ),
  })
  const addressOf = (type: 'pdf' | 'csv', part?: number) =>
    `/desk/api/accounts/${accountId}/statement.${type}?purse=${purse}&month=${month}${part === undefined ? '' : `&part=${part}`}`
  return (
    <div className={css.statement}>
      <NativeSelect
        label={words.statement}
        data={months}
        value={month}
        onChange={({ currentTarget }) => setMonth(currentTarget.value)}
      />
      <StatementFiles addressOf={addressOf} parts={data?.parts} />
    </div>
  )
}

function Entries({ accountId, wanted }: { readonly accountId: string; readonly wanted: Query }) {
  const query = useInfiniteQuery({
    queryKey: ['accounts', accountId, 'entries', wanted],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/accounts/{account_id}/entries', {
          params: { ...pathOf(accountId), query: { ...wanted, ...(pageParam !== undefined && { before: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return (
    <MorePages query={query} more={words.moreEntries}>
      {(pages) => {
        const entries = pages.flatMap((page) => page.entries)
        if (entries.length === 0) return <Empty title={words.entriesEmpty} />
        return (
          <TableOrCards
            label={words.entries}
            columns={columnsOf[wanted.purse]}
            rows={entries}
            keyOf={({ entry_no: no }) => String(no)}
          />
        )
      }}
    </MorePages>
  )
}

/** The entries of one purse with the balance before and after each, and the monthly statement. */
export default function EntrySection({ account: { account_id: accountId } }: { readonly account: Account }) {
  const { filters, setFilters } = useFilters(filterNames)
  const purse = purseNames.find((each) => each === filters.purse) ?? 'main'
  const wanted = { ...filters, purse } as Query
  const field = (name: 'kind' | 'from' | 'to') => ({
    value: filters[name] ?? '',
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setFilters({ [name]: currentTarget.value }),
  })
  const kinds = Object.entries(ledgerWords).map(([value, label]) => ({ value, label: label ?? value }))
  const file = `/desk/api/accounts/${accountId}/entries.csv?${new URLSearchParams({ ...filters, purse }).toString()}`
  return (
    <Section title={words.entries}>
      <div className={css.purses}>
        {purseNames.map((each) => (
          <button
            key={each}
            type="button"
            className={css.purse}
            aria-pressed={each === purse}
            onClick={() => setFilters({ purse: each === 'main' ? '' : each, kind: '' })}
          >
            {purses[each]}
          </button>
        ))}
      </div>
      <div className={css.filters}>
        <NativeSelect label={words.kind} data={[{ value: '', label: words.any }, ...kinds]} {...field('kind')} />
        <TextInput type="date" label={words.from} {...field('from')} />
        <TextInput type="date" label={words.to} {...field('to')} />
        <Button component="a" href={file} download variant="default">
          {words.file}
        </Button>
      </div>
      <Statement accountId={accountId} purse={purse} />
      <Entries accountId={accountId} wanted={wanted} />
    </Section>
  )
}
