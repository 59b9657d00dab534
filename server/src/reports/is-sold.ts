import { type RawBuilder, sql } from 'kysely'

/**
 * Whether an order in `orders` still counts as a sale: its money did not go back. A cancelled registration counts when
 * its fee was kept. The transfer is looked up by its key, for cancelled orders alone; PostgreSQL would be free to read all
 * refunds for an `exists`.
 */
export const isSold: RawBuilder<boolean> = sql`(status <> 'refunded' and case when status = 'cancelled'
  then (select true from transfers where cause_id = orders.id and transfers.kind = 'refund' limit 1) is null else true end)`
