import type { Db } from '../../platform/database/database.ts'
import type { AccountPurse, TransferKind } from '../money.tables.ts'
import { readWallet } from '../wallets.ts'
import { kindsOfOrders, nameCause, readEntries } from './list-entries.ts'
import { findEntryNumbers } from './read-wallet-statement.ts'
import type { NameOrders, StatementEntry } from './statement.ts'

/** The period includes the moment `from`, and excludes the moment `until`. */
export type LedgerQuery = {
  readonly accountId: string
  readonly purse: AccountPurse
  readonly kind?: TransferKind | undefined
  readonly from?: Date
  readonly until?: Date
  /** The `next` of the page before. */
  readonly before?: number | undefined
  readonly limit: number
}

/** `order` is the id of the entry's order; null when it has none. */
export type LedgerEntry = StatementEntry & { readonly order: string | null }

/** A page of entries, newest first. */
export type LedgerPage = {
  readonly entries: readonly LedgerEntry[]
  /** The number of the last entry shown; null when this is the last page. */
  readonly next: number | null
}

export async function listLedger(db: Db, query: LedgerQuery, nameOrders: NameOrders): Promise<LedgerPage> {
  const { accountId, purse, kind, before, limit } = query
  const key = { accountId, purse }
  const { firstNo, lastNo } = await findEntryNumbers(db, key, await readWallet(db, key), query)
  const rows = await readEntries(db, {
    ...key,
    firstNo,
    lastNo: before === undefined ? lastNo : Math.min(lastNo, before - 1),
    kind,
    isNewestFirst: true,
    // One more than a page, to learn whether there is a next page.
    limit: limit + 1,
  })
  const shown = rows.slice(0, limit)
  const ofOrders = shown.filter((row) => kindsOfOrders.has(row.kind)).map((row) => row.cause_id)
  const names = await nameOrders(db, [...new Set(ofOrders)])
  const entries = shown.map((row) => {
    const named = nameCause(row, names.get(row.cause_id))
    return {
      entryNo: row.entry_no,
      at: row.created_at,
      kind: row.kind,
      amount: row.change,
      balanceBefore: row.balance_after - row.change,
      balanceAfter: row.balance_after,
      causeId: row.cause_id,
      ...named,
      order: kindsOfOrders.has(row.kind) ? row.cause_id : row.adjusted_id,
    }
  })
  return { entries, next: rows.length > limit ? (entries.at(-1)?.entryNo ?? null) : null }
}
