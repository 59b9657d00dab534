import { useMemo } from 'react'
import type { FieldsOf } from '../../both/api/call-api.ts'
import { usePages } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { PagedRows } from '../../both/list/paged-rows.tsx'
import { Row } from '../../both/list/rows.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { aboutOf, type Entry, ledgerColumns, showAmount, showChange, type Unit } from '../../both/money/ledger.tsx'
import { ledgerWords } from '../../both/money/ledger-words.ts'
import { walletWords } from '../words/wallet.ts'
import css from './wallet.module.css'

type Query = FieldsOf<'/app/api/wallet/entries', 'get'>
const kindOf = ({ kind }: Entry) => ledgerWords[kind] ?? kind

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
  const columns = useMemo(() => ledgerColumns(unit, ledgerWords), [unit])
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
