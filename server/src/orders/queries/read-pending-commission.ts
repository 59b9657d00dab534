import { sql } from 'kysely'
import { commissionTermsOf, splitCommission } from '../../money/commission-terms.ts'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'

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
