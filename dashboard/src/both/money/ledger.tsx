import { Link } from 'wouter'
import type { Schema } from '../api/call-api.ts'
import { fieldWords } from '../field-words.ts'
import { inWords } from '../in-words.ts'
import type { Column } from '../list/table-or-cards.tsx'
import { relativeMoment } from '../moments/format-moment.ts'
import { formatCount, formatGhs } from './format-ghs.ts'
import type { LedgerWords } from './ledger-words.ts'

export type Entry = Schema<'LedgerEntry'>
export type Unit = Schema<'LedgerPage'>['unit']
/** An amount of a purse: `GHS 18.50`, or a number of credits. */
export function showAmount(unit: Unit, amount: number): string {
  if (unit === 'GHS') return formatGhs(amount)
  return `${amount < 0 ? '−' : ''}${formatCount(Math.abs(amount))}`
}

/** Formats an amount like `showAmount`, with a plus before money that came in. */
export const showChange = (unit: Unit, amount: number): string => `${amount > 0 ? '+' : ''}${showAmount(unit, amount)}`

export const aboutOf = ({ note, reference }: Entry) => (note === null ? reference : inWords(note))

/** The note or the reference of an entry, with a link to its order where there is one. */
function About({ entry }: { readonly entry: Entry }) {
  const words = aboutOf(entry)
  return entry.order === null ? words : <Link href={`/orders/${encodeURIComponent(entry.order)}`}>{words}</Link>
}

/** The columns of the entries of a purse, with the balance before and after each. */
export const ledgerColumns = (unit: Unit, words: LedgerWords): readonly Column<Entry>[] => [
  { title: fieldWords.what, show: ({ kind }) => words[kind] ?? kind, isMain: true },
  { title: fieldWords.about, show: (entry) => <About entry={entry} /> },
  { title: fieldWords.when, show: ({ at }) => relativeMoment(at) },
  { title: fieldWords.before, show: (entry) => showAmount(unit, entry.balance_before), isFigure: true },
  { title: fieldWords.amount, show: (entry) => <b>{showChange(unit, entry.amount)}</b>, isFigure: true },
  { title: fieldWords.after, show: (entry) => showAmount(unit, entry.balance_after), isFigure: true },
]
