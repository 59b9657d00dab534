import { sql } from 'kysely'
import { untilTransactionsEnd } from '../../test/until-transactions-end.ts'
import { allChains } from '../all-chains.ts'
import { sealChain } from '../platform/chains/seal-chain.ts'
import type { Db } from '../platform/database/database.ts'
import { firstIdAt } from '../platform/database/first-id-at.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import { createPartitions } from '../platform/partitions/partitions.ts'
import { numberMonths } from '../platform/platform.settings.ts'
import { writeSetting } from '../platform/settings/settings.ts'
import { products } from '../products/products.ts'
import { rollUp } from '../reports/roll-up.ts'

export const monthStart = (ago: number) => new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - ago, 1))

export const monthName = (ago: number) => monthStart(ago).toISOString().slice(0, 7)

const price = 520
const minute = 60_000

type OldOrder = { id: string; reference: string; placedAt: Date; endedAt: Date; isDelivered: boolean; no: number }

/** An id of this moment. */
const idAt = (at: Date, no: number) => `${firstIdAt(at.getTime()).slice(0, 14)}7000-8000-${String(no).padStart(12, '0')}`

/**
 * The orders of a month: some each day; every tenth failed and was given back. The last was placed in the last minute of the month and
 * delivered in the next one.
 */
function inventOrders(ago: number, count: number): OldOrder[] {
  const begin = monthStart(ago).getTime()
  const end = monthStart(ago - 1).getTime()
  return Array.from({ length: count }, (_, index) => {
    const no = ago * 10_000 + index
    const at = index === count - 1 ? end - minute / 2 : begin + ((index + 1) * (end - begin - 600 * minute)) / count
    return {
      id: idAt(new Date(at), no),
      reference: `old-${ago}-${index}`,
      placedAt: new Date(at),
      endedAt: new Date(at + minute),
      isDelivered: index % 10 !== 3,
      no,
    }
  })
}

type OldEntry = { cause: string; kind: string; change: number; at: Date; no: number; after: number }

/** The entries of the wallet in the order of time: money that came in before, then each purchase and what was given back. */
function inventEntries(creditId: string, creditedAt: Date, credit: number, orders: readonly OldOrder[]): OldEntry[] {
  const moves = orders.flatMap(({ id, placedAt, endedAt, isDelivered }) => [
    { cause: id, kind: 'purchase', change: -price, at: placedAt },
    ...(isDelivered ? [] : [{ cause: id, kind: 'refund', change: price, at: endedAt }]),
  ])
  let after = 0
  return [{ cause: creditId, kind: 'credit', change: credit, at: creditedAt }, ...moves]
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map((move, index) => {
      after += move.change
      return { ...move, no: index + 1, after }
    })
}

const insertOrders = (orders: readonly OldOrder[], accountId: string) => {
  const events = orders.flatMap(({ id, placedAt, endedAt, isDelivered }) => [
    { id, from: 'pending', to: 'processing', at: placedAt },
    ...(isDelivered
      ? [{ id, from: 'processing', to: 'completed', at: endedAt }]
      : [
          { id, from: 'processing', to: 'failed', at: endedAt },
          { id, from: 'failed', to: 'refunded', at: endedAt },
        ]),
  ])
  return [
    sql`insert into orders (id, account_id, kind, reference, status, price, recipient, recipient_hash, role, details, created_at, updated_at)
      select id, ${accountId}, 'data', reference, case when is_delivered then 'completed' else 'refunded' end, ${price},
        '024*****67', decode(md5(reference), 'hex'), 'agent',
        '{"network": "MTN", "size": "1GB"}', placed_at, ended_at
      from ${rowsOf(orders, {
        id: ['uuid', ({ id }) => id],
        reference: ['text', ({ reference }) => reference],
        is_delivered: ['boolean', ({ isDelivered }) => isDelivered],
        placed_at: ['timestamptz', ({ placedAt }) => placedAt],
        ended_at: ['timestamptz', ({ endedAt }) => endedAt],
      }).as('old')}`,
    sql`insert into order_references select reference, account_id, id, kind, '\\x00' from orders where reference like 'old-%' on conflict do nothing`,
    sql`insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, created_at, outcome, answered_at)
      select id, 1, 'former', left(replace(id::text, '-', ''), 12) || right(id::text, 12), created_at, created_at,
        case status when 'completed' then 'delivered' else 'failed' end, updated_at
      from orders where reference like 'old-%' on conflict do nothing`,
    sql`insert into attempt_answers (order_id, attempt_no, source, answer, evidence, created_at)
      select order_id, attempt_no, 'status', outcome, 'forgotten', answered_at from attempts where supplier = 'former'`,
    sql`insert into order_events (order_id, from_status, to_status, actor, created_at)
      select id, from_status, to_status, 'worker', at
      from ${rowsOf(events, {
        id: ['uuid', ({ id }) => id],
        from_status: ['text', ({ from }) => from],
        to_status: ['text', ({ to }) => to],
        at: ['timestamptz', ({ at }) => at],
      }).as('old')}`,
  ]
}

const insertEntries = (entries: readonly OldEntry[], accountId: string) => sql`
  insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after,
    to_entry_no, to_balance_after, created_at)
  select cause, kind, ${accountId}, case when change < 0 then 'main' when kind = 'credit' then 'top_ups' else 'sales' end, case when change < 0 then 'sales' else 'main' end,
    abs(change), case when change < 0 then no end, case when change < 0 then after end,
    case when change > 0 then no end, case when change > 0 then after end, at
  from ${rowsOf(entries, {
    cause: ['uuid', ({ cause }) => cause],
    kind: ['text', ({ kind }) => kind],
    change: ['bigint', ({ change }) => change],
    no: ['bigint', ({ no }) => no],
    after: ['bigint', ({ after }) => after],
    at: ['timestamptz', ({ at }) => at],
  }).as('old')}`

/** Seals everything and counts the daily sums, as the worker does all the time. */
export async function sealAndCount(db: Db): Promise<void> {
  await untilTransactionsEnd(db)
  for (const chain of allChains) await sealChain(db, chain, { restSeconds: 0 })
  while (!(await rollUp(db, products)).isComplete);
}

/**
 * Gives an account without entries a history: orders of the months 10, 9 and 8 ago, as if they had been sold then, and their numbers
 * forgotten since: the setting is six months.
 * @param owner connected as the owner of the tables
 */
export async function writeOldSales(owner: Db, accountId: string, ordersPerMonth = 40): Promise<void> {
  await createPartitions(owner, monthStart(11))
  await writeSetting(owner, numberMonths, 6, 'test')
  const orders = [10, 9, 8].flatMap((ago) => inventOrders(ago, ordersPerMonth))
  const credit = price * orders.length + 1_000
  const creditedAt = new Date(monthStart(10).getTime() + minute)
  const creditId = idAt(creditedAt, 1)
  const entries = inventEntries(creditId, creditedAt, credit, orders)
  await owner.transaction().execute(async (tx) => {
    for (const statement of insertOrders(orders, accountId)) await statement.execute(tx)
    await sql`insert into wallet_credits (id, account_id, purse, amount, actor, created_at)
      values (${creditId}, ${accountId}, 'main', ${credit}, 'test', ${creditedAt})`.execute(tx)
    await insertEntries(entries, accountId).execute(tx)
    const last = entries.at(-1)
    await sql`update wallets set balance = ${last?.after ?? 0}, last_entry_no = ${last?.no ?? 0}
      where account_id = ${accountId} and purse = 'main'`.execute(tx)
  })
  // Without statistics the audit would look at each day alone.
  await sql`analyze transfers`.execute(owner)
}
