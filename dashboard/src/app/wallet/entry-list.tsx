import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components, operations } from '../../both/api/dashboard-api.d.ts'
import { inWords } from '../../both/in-words.ts'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { entryWords, walletWords } from '../words/wallet.ts'
import { showAmount, showChange } from './show-amount.ts'
import css from './wallet.module.css'

type Query = operations['listEntries']['parameters']['query']
type Unit = components['schemas']['LedgerPage']['unit']
type Entry = components['schemas']['LedgerEntry']

const kindOf = ({ kind }: Entry) => entryWords[kind] ?? kind

const aboutOf = ({ note, reference }: Entry) => (note === null ? reference : inWords(note))

/** The cause of an entry: a link to the order, or the receipt. */
function About({ entry }: { readonly entry: Entry }) {
  const words = aboutOf(entry)
  return entry.order === null ? words : <Link href={`/orders/${encodeURIComponent(entry.order)}`}>{words}</Link>
}

const columnsIn = (unit: Unit): readonly Column<Entry>[] => [
  { title: walletWords.kind, show: kindOf, isMain: true },
  { title: walletWords.about, show: (entry) => <About entry={entry} /> },
  { title: walletWords.when, show: ({ at }) => relativeMoment(at) },
  { title: walletWords.before, show: (entry) => showAmount(unit, entry.balance_before), isFigure: true },
  { title: walletWords.amount, show: (entry) => <b>{showChange(unit, entry.amount)}</b>, isFigure: true },
  { title: walletWords.after, show: (entry) => showAmount(unit, entry.balance_after), isFigure: true },
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

/** The entries of a purse, newest first, with the balance before and after each. */
export function EntryList({ query: wanted, isFiltered }: { readonly query: Query; readonly isFiltered: boolean }) {
  const isDesk = useMediaQuery('(min-width: 62em)', false, { getInitialValueInEffect: false })
  const query = useInfiniteQuery({
    queryKey: ['entries', wanted],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/app/api/wallet/entries', {
          params: { query: { ...wanted, ...(pageParam !== undefined && { before: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return (
    <MorePages query={query} more={walletWords.more}>
      {(pages) => {
        const unit = pages[0]?.unit ?? 'GHS'
        const entries = pages.flatMap((page) => page.entries)
        if (entries.length === 0) {
          return (
            <Empty title={isFiltered ? walletWords.nothingFits : walletWords.empty}>
              {isFiltered ? walletWords.nothingFitsNext : walletWords.emptyNext}
            </Empty>
          )
        }
        return isDesk ? (
          <TableOrCards
            label={walletWords.entries}
            columns={columnsIn(unit)}
            rows={entries}
            keyOf={(entry) => String(entry.entry_no)}
          />
        ) : (
          <Rows label={walletWords.entries}>
            {entries.map((entry) => (
              <EntryRow key={entry.entry_no} entry={entry} unit={unit} />
            ))}
          </Rows>
        )
      }}
    </MorePages>
  )
}
