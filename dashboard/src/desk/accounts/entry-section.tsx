import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { type FieldsOf } from '../../both/api/call-api.ts'
import { usePages, useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { typed } from '../../both/form/typed.ts'
import { Section } from '../../both/layout/page.tsx'
import { Choices } from '../../both/list/choices.tsx'
import { FileLink } from '../../both/list/file-link.tsx'
import { choicesOf, FilterBar } from '../../both/list/filter-bar.tsx'
import { PagedTable } from '../../both/list/paged-table.tsx'
import { type Column } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { listMonths } from '../../both/moments/list-months.ts'
import { type Entry, ledgerColumns } from '../../both/money/ledger.tsx'
import { StatementFiles } from '../../both/money/statement-files.tsx'
import { ledgerWords, accountWords as words } from '../words/accounts.ts'
import { type Account, type PurseName } from './account-calls.ts'
import css from './accounts.module.css'

const purses = { main: words.main, commission: fieldWords.commission, sms_credits: fieldWords.smsCredits } as const
const purseNames = Object.keys(purses) as PurseName[]

const entryFilters = {
  kind: {
    label: fieldWords.what,
    options: Object.entries(ledgerWords).map(([value, label]) => ({ value, label: label ?? value })),
    any: words.any,
  },
  from: { label: fieldWords.fromDay, type: 'date' },
  to: { label: fieldWords.toDay, type: 'date' },
} as const

/** Made once, because with a new array each time the table would draw all rows again. */
const columnsOf: Readonly<Record<PurseName, readonly Column<Entry>[]>> = {
  main: ledgerColumns('GHS', ledgerWords),
  commission: ledgerColumns('GHS', ledgerWords),
  sms_credits: ledgerColumns('credits', ledgerWords),
}

function Statement({ accountId, purse }: { readonly accountId: string; readonly purse: PurseName }) {
  const months = listMonths()
  const [month, setMonth] = useState(months[0]?.value ?? '')
  const { data } = useRead('accounts', '/desk/api/accounts/{account_id}/statement', { account_id: accountId, purse, month })
  const addressOf = (type: 'pdf' | 'csv', part?: number) =>
    `/desk/api/accounts/${accountId}/statement.${type}?purse=${purse}&month=${month}${part === undefined ? '' : `&part=${part}`}`
  return (
    <div className={css.statement}>
      <NativeSelect label={fieldWords.statement} data={months} {...typed(month, setMonth)} />
      <StatementFiles addressOf={addressOf} parts={data?.parts} />
    </div>
  )
}

/** The entries of one purse with the balance before and after each, and the monthly statement. */
export default function EntrySection({ account: { account_id: accountId } }: { readonly account: Account }) {
  const { filters, setFilters } = useFilters(['purse', 'kind', 'from', 'to'])
  const purse = purseNames.find((each) => each === filters.purse) ?? 'main'
  const wanted = { ...filters, purse } as Omit<FieldsOf<'/desk/api/accounts/{account_id}/entries', 'get'>, 'account_id'>
  const query = usePages(
    'accounts',
    '/desk/api/accounts/{account_id}/entries',
    { account_id: accountId, ...wanted },
    { cursor: 'before' },
  )
  const file = `/desk/api/accounts/${accountId}/entries.csv?${new URLSearchParams({ ...filters, purse }).toString()}`
  return (
    <Section title={fieldWords.entries}>
      <Choices
        label={fieldWords.wallet}
        value={purse}
        options={choicesOf(purses)}
        onChoose={(each) => setFilters({ purse: each === 'main' ? '' : each, kind: '' })}
      />
      <FilterBar
        fields={entryFilters}
        filters={filters}
        onShow={setFilters}
        end={<FileLink href={file} variant="default" label={words.file} />}
      />
      <Statement accountId={accountId} purse={purse} />
      <PagedTable
        query={query}
        rowsOf={({ entries }) => entries}
        more={fieldWords.showOlderEntries}
        label={fieldWords.entries}
        columns={columnsOf[purse]}
        keyOf={({ entry_no }) => String(entry_no)}
        empty={{ title: fieldWords.noEntryFits }}
      />
    </Section>
  )
}
