import { type FieldsOf, get } from '../../both/api/call-api.ts'
import { usePages } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { Choices } from '../../both/list/choices.tsx'
import { FileLink } from '../../both/list/file-link.tsx'
import { choicesOf, FilterBar } from '../../both/list/filter-bar.tsx'
import { PagedTable } from '../../both/list/paged-table.tsx'
import { type Column } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { type Entry, ledgerColumns } from '../../both/money/ledger.tsx'
import { MonthlyStatement } from '../../both/money/monthly-statement.tsx'
import { ledgerWords, accountWords as words } from '../words/accounts.ts'
import { type Account, type PurseName } from './account-calls.ts'

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
      <MonthlyStatement
        label={fieldWords.statement}
        topic="accounts"
        addressOf={(type) => `/desk/api/accounts/${accountId}/statement.${type}?purse=${purse}`}
        read={(month, signal) =>
          get('/desk/api/accounts/{account_id}/statement', { account_id: accountId, purse, month }, signal)
        }
      />
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
