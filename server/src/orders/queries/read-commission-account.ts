import { sql } from 'kysely'
import { commissionTermsOf, splitCommission } from '../../money/commission-terms.ts'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import { readWallet } from '../../money/wallets.ts'
import type { Db } from '../../platform/database/database.ts'

export type CommissionEntry = {
  readonly at: Date
  /** `commission`: earned by an order. `commission_move`: moved to the main wallet. */
  readonly kind: 'commission' | 'commission_move'
  /** Whole pesewas; negative when it left the wallet. */
  readonly amountPesewas: number
  readonly balancePesewas: number
  /** The reference of the order, or the account's own id of the move. Null: the move has none. */
  readonly reference: string | null
}

/** Reads a Commission Wallet's balance and its last `limit` entries, newest first. */
export async function readCommissionAccount(
  db: Db,
  accountId: string,
  limit: number,
): Promise<{ balancePesewas: number; entries: CommissionEntry[] }> {
  const { balance } = await readWallet(db, { accountId, purse: 'commission' })
  const { rows } = await sql<{
    created_at: Date
    kind: CommissionEntry['kind']
    change: number
    balance_after: number
    reference: string | null
  }>`
    select entry.created_at, entry.kind, entry.change, entry.balance_after, coalesce(orders.reference, commission_moves.external_id) as reference
    from (
      (select to_entry_no as entry_no, cause_id, created_at, kind, amount as change, to_balance_after as balance_after
        from transfers where account_id = ${accountId} and to_purse = 'commission' and to_entry_no is not null
        order by to_entry_no desc limit ${limit})
      union all
      (select from_entry_no, cause_id, created_at, kind, -amount, from_balance_after
        from transfers where account_id = ${accountId} and from_purse = 'commission' and from_entry_no is not null
        order by from_entry_no desc limit ${limit})
    ) as entry
    left join orders on orders.id = entry.cause_id
    left join commission_moves on commission_moves.id = entry.cause_id
    order by entry.entry_no desc
    limit ${limit}`.execute(db)
  const entries = rows.map((row) => ({
    at: row.created_at,
    kind: row.kind,
    amountPesewas: row.change,
    balancePesewas: row.balance_after,
    reference: row.reference,
  }))
  return { balancePesewas: balance, entries }
}

/**
 * Adds up what the account's open orders earn it when they are delivered, if their suppliers report no other commission. No order
 * before the oldest open one of all accounts is read.
 */
export async function readPendingCommission(db: Db, accountId: string): Promise<Pesewas> {
  const { rows } = await sql<{ price: number; details: Record<string, unknown> }>`
    select price, details from orders
    where account_id = ${accountId} and id >= (select order_id from open_orders order by order_id limit 1)
      and status in ('queued', 'pending', 'processing') and details ? 'commission'`.execute(db)
  const sum = rows.reduce((total, { price, details }) => {
    const terms = commissionTermsOf(details)
    return terms ? total + splitCommission(pesewas(price), null, terms).caller : total
  }, 0)
  return pesewas(sum)
}
