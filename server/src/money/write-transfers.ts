import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
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

/** The part of a statement that writes posted transfers, for a statement that writes more beside them. */
export type LedgerWrite = {
  /** Common table expressions, to stand after `with`; the last one, `changed`, has a row per wallet. */
  readonly expressions: RawBuilder<unknown>
  /** @throws Error when the statement changed another number of wallets than it had to */
  check(changedWallets: number | undefined): void
}

/** Rows for the table `transfers`, in the order of its columns up to `note`. */
function rowsOf(transfers: readonly PostedTransfer[]): RawBuilder<unknown> {
  return sql`
    select * from unnest(
      ${transfers.map((transfer) => transfer.causeId)}::uuid[],
      ${transfers.map((transfer) => transfer.kind)}::text[],
      ${transfers.map((transfer) => transfer.accountId)}::uuid[],
      ${transfers.map((transfer) => transfer.fromPurse)}::text[],
      ${transfers.map((transfer) => transfer.toPurse)}::text[],
      ${transfers.map((transfer) => transfer.amount)}::bigint[],
      ${transfers.map((transfer) => transfer.fromEntryNo)}::bigint[],
      ${transfers.map((transfer) => transfer.toEntryNo)}::bigint[],
      ${transfers.map((transfer) => transfer.fromBalanceAfter)}::bigint[],
      ${transfers.map((transfer) => transfer.toBalanceAfter)}::bigint[],
      ${transfers.map((transfer) => transfer.note ?? null)}::text[])`
}

/**
 * Builds the write of posted transfers: records them and changes the wallets by their difference. The
 * wallets must be locked by this transaction.
 *
 * @param rows where the statement that this becomes a part of has the same transfers at hand already
 */
export function buildLedgerWrite(transfers: readonly PostedTransfer[], rows = rowsOf(transfers)): LedgerWrite {
  const changes = addUp(transfers)
  return {
    expressions: sql`
    recorded as (
      insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount,
        from_entry_no, to_entry_no, from_balance_after, to_balance_after, note)
      ${rows}
    ), changed as (
      update wallets
      set balance = wallets.balance + change.amount, last_entry_no = wallets.last_entry_no + change.entries
      from unnest(
        ${changes.map((change) => change.accountId)}::uuid[],
        ${changes.map((change) => change.purse)}::text[],
        ${changes.map((change) => change.amount)}::bigint[],
        ${changes.map((change) => change.entries)}::bigint[]) as change (account_id, purse, amount, entries)
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
