import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { firstIdAt } from '../platform/database/first-id-at.ts'
import { createPartitions } from '../platform/partitions/partitions.ts'

/** Tables with orders' ids whose rows nobody may change. */
const guarded = ['transfers', 'order_events']

/** Columns that hold the id of a new order. */
const idColumns = {
  orders: 'id',
  order_references: 'order_id',
  account_references: 'order_id',
  open_orders: 'order_id',
  order_events: 'order_id',
  transfers: 'cause_id',
  afa_registrations: 'order_id',
  sms_campaigns: 'id',
  sms_messages: 'campaign_id',
}

/**
 * Makes an order as old as if it had been placed so many days earlier: its id, which has its time, and its moments.
 * @param owner connected as the owner of the tables: the application's login may not change ids and moments
 * @returns the new id
 */
export async function ageOrder(owner: Db, orderId: string, days: number): Promise<string> {
  const at = Number.parseInt(orderId.replaceAll('-', '').slice(0, 12), 16) - days * 24 * 3_600_000
  const aged = `${firstIdAt(at).slice(0, 14)}${orderId.slice(14)}`
  await createPartitions(owner, new Date(at))
  await owner.transaction().execute(async (tx) => {
    for (const name of guarded) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx)
    for (const [name, column] of Object.entries(idColumns)) {
      await sql`update ${sql.table(name)} set ${sql.ref(column)} = ${aged} where ${sql.ref(column)} = ${orderId}`.execute(tx)
    }
    for (const name of guarded) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx)
    const back = sql`make_interval(days => ${days})`
    await sql`update orders set created_at = created_at - ${back}, updated_at = updated_at - ${back} where id = ${aged}`.execute(
      tx,
    )
    await sql`
      update sms_campaigns set created_at = created_at - ${back}, settled_at = settled_at - ${back} where id = ${aged}`.execute(
      tx,
    )
  })
  return aged
}
