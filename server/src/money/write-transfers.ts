import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import { isAccountPurse, type PostedTransfer } from './post-transfer.ts'
import { walletId } from './wallets.ts'

type Change = { accountId: string; purse: string; amount: number; entries: number }

function addUp(transfers: readonly PostedTransfer[]): Change[] {
  const changes = new Map<string, Change>()
  for (const transfer of transfers) {
    const sides = [
      [transfer.fromPurse, -transfer.amount],
      [transfer.toPurse, transfer.amount],
    ] as const
    for (const [purse, amount] of sides) {
      if (!isAccountPurse(purse)) continue
      const id = walletId({ accountId: transfer.accountId, purse })
      const change = changes.get(id) ?? { accountId: transfer.accountId, purse, amount: 0, entries: 0 }
      change.amount += amount
      change.entries += 1
      changes.set(id, change)
    }
  }
  return [...changes.values()]
}

/** A part of a larger statement, which writes posted transfers. */
export type LedgerWrite = {
  /** Common table expressions for the place after `with`. The last one, `changed`, has a row per wallet. */
  readonly expressions: RawBuilder<unknown>
  /** @throws Error when the statement changed another number of wallets than expected */
  check(changedWallets: number | undefined): void
}

/** The columns and rows after `insert into transfers`. */
function transferRows(transfers: readonly PostedTransfer[]): RawBuilder<unknown> {
  return rowsOf(transfers, {
    cause_id: ['uuid', (transfer) => transfer.causeId],
    kind: ['text', (transfer) => transfer.kind],
    account_id: ['uuid', (transfer) => transfer.accountId],
    from_purse: ['text', (transfer) => transfer.fromPurse],
    to_purse: ['text', (transfer) => transfer.toPurse],
    amount: ['bigint', (transfer) => transfer.amount],
    from_entry_no: ['bigint', (transfer) => transfer.fromEntryNo],
    to_entry_no: ['bigint', (transfer) => transfer.toEntryNo],
    from_balance_after: ['bigint', (transfer) => transfer.fromBalanceAfter],
    to_balance_after: ['bigint', (transfer) => transfer.toBalanceAfter],
    note: ['text', (transfer) => transfer.note ?? null],
  }).forInsert()
}

/**
 * Builds the write of posted transfers: records them, and changes each wallet by the sum of its transfers. The wallets must be
 * locked by this transaction. Purchases that are decided from cached data are written by `schema/orders/write_batch.sql`
 * instead. Both must write the same.
 *
 * @param rows the columns and rows to insert, if the larger statement has these transfers already
 */
export function buildLedgerWrite(transfers: readonly PostedTransfer[], rows = transferRows(transfers)): LedgerWrite {
  const changes = addUp(transfers)
  return {
    expressions: sql`
    recorded as (
      insert into transfers ${rows}
    ), changed as (
      update wallets
      set balance = wallets.balance + change.amount, last_entry_no = wallets.last_entry_no + change.entries
      from ${rowsOf(changes, {
        account_id: ['uuid', (change) => change.accountId],
        purse: ['text', (change) => change.purse],
        amount: ['bigint', (change) => change.amount],
        entries: ['bigint', (change) => change.entries],
      }).as('change')}
      where wallets.account_id = change.account_id and wallets.purse = change.purse
      returning 1
    )`,
    check(changedWallets) {
      if (changedWallets !== changes.length) throw new Error('a wallet vanished while it was locked')
    },
  }
}

/** Writes posted transfers in one statement. The wallets must be locked by this transaction. */
export async function writeTransfers(tx: Tx, transfers: readonly PostedTransfer[]): Promise<void> {
  if (transfers.length === 0) return
  const ledger = buildLedgerWrite(transfers)
  const { rows } = await sql<{ changed: number }>`with ${ledger.expressions} select count(*) as changed from changed`.execute(tx)
  ledger.check(rows[0]?.changed)
}
