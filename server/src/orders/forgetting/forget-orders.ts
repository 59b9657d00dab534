import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import {
  type Forgetting,
  firstIdOfAge,
  idAfter,
  ofDays,
  ofMonths,
  rowsPerStep,
} from '../../platform/forgetting/forget-old-data.ts'
import type { NumberHash } from '../../platform/forgetting/number-hash.ts'
import { amongIds } from '../../platform/partitions/partitions.ts'
import { numberMonths } from '../../platform/platform.settings.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { evidenceDays } from '../orders.settings.ts'

/** Hashes a recipient, in whatever form an order has it, and a request's fingerprint. */
export type RecipientHash = { readonly hashRecipient: (recipient: string) => Buffer } & Pick<NumberHash, 'keyFingerprint'>

type FoundOrder = { id: string; recipient: string; fingerprint: string | null }

/** Reads orders and the fingerprints of their requests. Leaves out orders that were forgotten. */
async function readOrders(tx: Tx, ids: readonly string[]): Promise<FoundOrder[]> {
  const { rows } = await sql<FoundOrder>`
    select orders.id, recipient, encode(coalesce(shared.fingerprint, own.fingerprint), 'hex') as fingerprint
    from orders
    left join order_references as shared on shared.reference = orders.reference and shared.order_id = orders.id
    left join account_references as own on own.order_id = orders.id
    where ${amongIds('orders.id', ids)} and recipient_hash is null`.execute(tx)
  return rows
}

/**
 * Erases the recipients of these orders. The database skips open orders, and orders that are not old enough.
 * @param erasure the erasure that two people agreed to, which may forget orders of any age
 * @returns the orders that were forgotten
 */
export async function forgetOrders(
  tx: Tx,
  { hashRecipient, keyFingerprint }: RecipientHash,
  ids: readonly string[],
  erasure: string | null = null,
): Promise<string[]> {
  const orders = await readOrders(tx, ids)
  if (orders.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select forget_orders(array_agg(id), array_agg(decode(hash, 'hex')), array_agg(decode(fingerprint, 'hex')), ${erasure}) as id
    from ${rowsOf(orders, {
      id: ['uuid', (order) => order.id],
      hash: ['text', (order) => hashRecipient(order.recipient).toString('hex')],
      fingerprint: ['text', (order) => (order.fingerprint === null ? '' : keyFingerprint(order.fingerprint))],
    }).as('wanted')}`.execute(tx)
  return rows.map(({ id }) => id)
}

async function nextOrders(tx: Tx, after: string, before: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where id > ${idAfter(after)} and id < ${before}::uuid
    order by id limit ${rowsPerStep}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Adds the open ones of these orders to `orders_to_forget`. Takes ended orders out of that table, and returns them. */
async function takeEndedOrders(tx: Tx, ids: readonly string[]): Promise<string[]> {
  await sql`
    insert into orders_to_forget select order_id from open_orders where order_id = any(${ids}::uuid[])
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ order_id: string }>`
    delete from orders_to_forget where order_id in (
      select order_id from orders_to_forget as noted
      where not exists (select from open_orders where open_orders.order_id = noted.order_id) limit ${rowsPerStep})
    returning order_id`.execute(tx)
  return rows.map((row) => row.order_id)
}

/** Erases the recipients of ended orders, `number_months` months after they were placed. */
export function forgettingOfOrders(hash: RecipientHash): Forgetting {
  return {
    name: 'numbers of orders',
    async step(tx, after) {
      const ids = await nextOrders(tx, after, await firstIdOfAge(tx, ofMonths(await readSetting(tx, numberMonths))))
      const ended = await takeEndedOrders(tx, ids)
      const forgotten = await forgetOrders(tx, hash, [...ids, ...ended])
      return { count: forgotten.length, through: ids.at(-1), isMore: ids.length === rowsPerStep || ended.length === rowsPerStep }
    },
  }
}

/**
 * Erases the words of suppliers' answers about ended orders, `evidence_days` days after the orders were placed. What the
 * answers meant stays.
 */
export const forgettingOfEvidence: Forgetting = {
  name: 'evidence of suppliers',
  async step(tx, after) {
    const ids = await nextOrders(tx, after, await firstIdOfAge(tx, ofDays(await readSetting(tx, evidenceDays))))
    const { rows } = await sql<{ count: number }>`select forget_evidence(${ids}::uuid[]) as count`.execute(tx)
    return { count: rows[0]?.count ?? 0, through: ids.at(-1), isMore: ids.length === rowsPerStep }
  },
}
