import { useMemo } from 'react'
import { Link } from 'wouter'
import type { FieldsOf, Schema } from '../../both/api/call-api.ts'
import { usePages } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { inWords } from '../../both/in-words.ts'
import { PagedRows } from '../../both/list/paged-rows.tsx'
import { Row } from '../../both/list/rows.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { entryWords, walletWords } from '../words/wallet.ts'
import { showAmount, showChange } from './show-amount.ts'
import css from './wallet.module.css'

type Query = FieldsOf<'/app/api/wallet/entries', 'get'>
type Unit = Schema<'LedgerPage'>['unit']
type Entry = Schema<'LedgerEntry'>

const kindOf = ({ kind }: Entry) => entryWords[kind] ?? kind

const aboutOf = ({ note, reference }: Entry) => (note === null ? reference : inWords(note))

/** The cause of an entry: a link to the order, or the receipt. */
function About({ entry }: { readonly entry: Entry }) {
  const words = aboutOf(entry)
  return entry.order === null ? words : <Link href={`/orders/${encodeURIComponent(entry.order)}`}>{words}</Link>
}

const columnsIn = (unit: Unit): readonly Column<Entry>[] => [
  { title: fieldWords.what, show: kindOf, isMain: true },
  { title: fieldWords.about, show: (entry) => <About entry={entry} /> },
  { title: fieldWords.when, show: ({ at }) => relativeMoment(at) },
  { title: fieldWords.before, show: (entry) => showAmount(unit, entry.balance_before), isFigure: true },
  { title: fieldWords.amount, show: (entry) => <b>{showChange(unit, entry.amount)}</b>, isFigure: true },
  { title: fieldWords.after, show: (entry) => showAmount(unit, entry.balance_after), isFigure: true },
]

function EntryRow({ entry, unit }: { readonly entry: Entry; readonly unit: Unit }) {
  const before = showAmount(unit, entry.balance_before)
  return (
    <Row
      title={kindOf(entry)}
      detail={
        <>
          {aboutOf(entry)}
          <br />
          {relativeMoment(entry.at)}
        </>
      }
      end={
        <>
          <b>{showChange(unit, entry.amount)}</b>
          <span className={css.balances}>
            {before} → {showAmount(unit, entry.balance_after).replace('GHS ', '')}
          </span>
        </>
      }
      {...(entry.order !== null && { href: `/orders/${encodeURIComponent(entry.order)}` })}
    />
  )
}

type ListProps = { readonly query: Query; readonly unit: Unit; readonly isFiltered: boolean }

/** The entries of a purse, newest first, with the balance before and after each. */
export function EntryList({ query, unit, isFiltered }: ListProps) {
  const columns = useMemo(() => columnsIn(unit), [unit])
  return (
    <PagedRows
      query={usePages('entries', '/app/api/wallet/entries', query, { cursor: 'before' })}
      itemsOf={({ entries }) => entries}
      keyOf={({ entry_no: no }) => String(no)}
      label={fieldWords.entries}
      more={fieldWords.showOlderEntries}
      empty={
        isFiltered
          ? { title: fieldWords.noEntryFits, next: walletWords.nothingFitsNext }
          : { title: walletWords.empty, next: walletWords.emptyNext }
      }
      columns={columns}
      row={(entry) => <EntryRow entry={entry} unit={unit} />}
    />
  )
}
