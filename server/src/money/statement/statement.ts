import type { Db } from '../../platform/database/database.ts'
import type { AccountPurse, TransferKind } from '../money.tables.ts'

/** One line of a statement. Amounts and balances are in the unit of the purse: whole pesewas, or whole credits. */
export type StatementEntry = {
  readonly entryNo: number
  readonly at: Date
  readonly kind: TransferKind
  /** The amount is above 0 when it came into the purse, and below 0 when it went out. */
  readonly amount: number
  readonly balanceBefore: number
  readonly balanceAfter: number
  /** The order, credit, correction, top-up, move of commission or approval that caused it. */
  readonly causeId: string
  /** The reference of an order or top-up, the number of a receipt, or another external id; without one, the id of the cause. */
  readonly reference: string
  /** The purpose of the entry for people. */
  readonly note: string | null
}

/** The period includes the moment `from` and excludes the moment `until`. */
export type StatementRequest = {
  readonly accountId: string
  readonly purse: AccountPurse
  /** Left out: from the first entry, or from the end of the newest month that is put away. */
  readonly from?: Date
  /** Left out: to the newest entry. */
  readonly until?: Date
  /** Only this part of it, from 1 on. Left out: all of it. */
  readonly part?: number | undefined
}

/**
 * A document has at most this many entries, about 150 pages: it is drawn in a few seconds. A longer statement is divided
 * into parts.
 */
export const statementPartEntries = 5_000

export type OrderName = { readonly reference: string; readonly words: string }

/** Finds the references of orders by their ids. The folder `money` knows no orders, so the caller passes this function. */
export type NameOrders = (db: Db, orderIds: readonly string[]) => Promise<ReadonlyMap<string, OrderName>>

export type KindTotal = { readonly kind: TransferKind; readonly count: number; readonly amount: number }

/** The sums of a month: incoming, outgoing (below 0), and the closing balance. */
export type MonthTotal = {
  /** The month in Accra, such as `2026-10`. */
  readonly month: string
  readonly count: number
  readonly in: number
  readonly out: number
  readonly closing: number
}

/** A statement whose entries were proven to add up. */
export type Statement = {
  readonly accountId: string
  readonly purse: AccountPurse
  readonly from: Date | undefined
  readonly until: Date | undefined
  /** The part's number and the number of parts; undefined where the statement is whole. */
  readonly part: { readonly no: number; readonly of: number } | undefined
  readonly opening: number
  readonly closing: number
  readonly count: number
  readonly byKind: readonly KindTotal[]
  readonly byMonth: readonly MonthTotal[]
  /** The entries in order, read some at a time: a long statement takes no more memory than a short one. */
  entries(): AsyncGenerator<StatementEntry>
}

/**
 * Thrown when the entries of a wallet do not add up. The message names the first entry that is wrong, or the sums that
 * differ.
 */
export class StatementBrokenError extends Error {
  override readonly name = 'StatementBrokenError'
}
