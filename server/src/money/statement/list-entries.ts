import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { AccountPurse, TransferKind } from '../money.tables.ts'
import { createMissingEntryError } from './put-away-entries.ts'
import type { NameOrders, OrderName, StatementEntry } from './statement.ts'

/** How many entries are read at once. Reading and writing 1,000 would hold the event loop for 60 ms. */
const pageEntries = 250

/** A range of a wallet's entries, both ends included, and the balance before it. */
export type EntryRange = {
  readonly accountId: string
  readonly purse: AccountPurse
  readonly firstNo: number
  readonly lastNo: number
  readonly opening: number
}

export type EntryRow = {
  entry_no: number
  created_at: Date
  kind: TransferKind
  change: number
  balance_after: number
  cause_id: string
  note: string | null
  external_id: string | null
  /** Of an adjustment: the order that it is about. */
  adjusted_id: string | null
}

/** The entries of a purse to read, in the order of their numbers. */
export type EntrySpan = {
  readonly accountId: string
  readonly purse: AccountPurse
  /** Both ends included. */
  readonly firstNo: number
  readonly lastNo: number
  readonly kind?: TransferKind | undefined
  readonly isNewestFirst?: boolean
  readonly limit: number
}

/**
 * Reads some entries of a purse. For a cause that is no order, `external_id` is its name for people, such as a receipt's
 * number. Incoming and outgoing entries are read separately, because each of the two has an index in the order of its numbers.
 */
export async function readEntries(
  db: Db,
  { accountId, purse, firstNo, lastNo, kind, isNewestFirst = false, limit }: EntrySpan,
): Promise<EntryRow[]> {
  const direction = isNewestFirst ? sql`desc` : sql`asc`
  const ofKind = kind === undefined ? sql`` : sql`and kind = ${kind}`
  const { rows } = await sql<EntryRow>`
    select entry.*, coalesce(credit.external_id, corrected.external_id, corrected.id::text, move.external_id, top_up.transfer_reference,
      top_up.reference) as external_id,
      agreed.request ->> 'orderId' as adjusted_id
    from (
      (select from_entry_no as entry_no, created_at, kind, -amount as change, from_balance_after as balance_after, cause_id, note
        from transfers
        where account_id = ${accountId} and from_purse = ${purse} and from_entry_no between ${firstNo} and ${lastNo} ${ofKind}
        order by from_entry_no ${direction} limit ${limit})
      union all
      (select to_entry_no, created_at, kind, amount, to_balance_after, cause_id, note
        from transfers
        where account_id = ${accountId} and to_purse = ${purse} and to_entry_no between ${firstNo} and ${lastNo} ${ofKind}
        order by to_entry_no ${direction} limit ${limit})
    ) as entry
    left join wallet_credits as credit on credit.id = entry.cause_id
    left join wallet_corrections as correction on correction.id = entry.cause_id
    left join wallet_credits as corrected on corrected.id = correction.credit_id
    left join commission_moves as move on move.id = entry.cause_id
    left join top_ups as top_up on top_up.id = entry.cause_id
    left join approvals as agreed on agreed.id = entry.cause_id and entry.kind = 'adjustment'
    order by entry.entry_no ${direction}
    limit ${limit}`.execute(db)
  return rows
}

/**
 * For these kinds the cause is an order. The cause of an adjustment is an approval, and the note of the entry names the
 * order.
 */
export const kindsOfOrders: ReadonlySet<TransferKind> = new Set<TransferKind>(['purchase', 'refund', 'commission', 'sms_refund'])

export function nameCause(row: EntryRow, order: OrderName | undefined): Pick<StatementEntry, 'reference' | 'note'> {
  if (order) return { reference: order.reference, note: order.words }
  if (row.kind === 'adjustment') return { reference: row.note ?? row.cause_id, note: null }
  return { reference: row.external_id ?? row.cause_id, note: row.note }
}

function explainBreak(row: EntryRow, previous: { readonly entryNo: number; readonly balance: number }): string | undefined {
  if (row.entry_no !== previous.entryNo + 1) return `Entry ${previous.entryNo + 1} of this wallet is missing.`
  if (row.balance_after === previous.balance + row.change) return undefined
  const { balance } = previous
  return `Entry ${row.entry_no} of this wallet does not add up: ${balance} ${row.change < 0 ? '-' : '+'} ${Math.abs(row.change)} is not ${row.balance_after}.`
}

/**
 * Reads a range of entries in order, some at a time. Each is proven to follow the one before.
 *
 * @throws StatementBrokenError at the first entry that is missing or does not add up, RefusalError 409 where it is put away
 */
export async function* listEntries(db: Db, range: EntryRange, nameOrders: NameOrders): AsyncGenerator<StatementEntry> {
  let previous = { entryNo: range.firstNo - 1, balance: range.opening }
  while (previous.entryNo < range.lastNo) {
    const { accountId, purse, lastNo } = range
    const rows = await readEntries(db, { accountId, purse, firstNo: previous.entryNo + 1, lastNo, limit: pageEntries })
    const orderIds = rows.filter(({ kind }) => kindsOfOrders.has(kind)).map(({ cause_id }) => cause_id)
    const names = await nameOrders(db, [...new Set(orderIds)])
    const nextNo = previous.entryNo + 1
    if (rows.length === 0) throw await createMissingEntryError(db, range, nextNo, `Entry ${nextNo} of this wallet is missing.`)
    for (const row of rows) {
      const broken = explainBreak(row, previous)
      if (broken !== undefined) throw await createMissingEntryError(db, range, previous.entryNo + 1, broken)
      yield {
        entryNo: row.entry_no,
        at: row.created_at,
        kind: row.kind,
        amount: row.change,
        balanceBefore: previous.balance,
        balanceAfter: row.balance_after,
        causeId: row.cause_id,
        ...nameCause(row, names.get(row.cause_id)),
      }
      previous = { entryNo: row.entry_no, balance: row.balance_after }
    }
  }
}
