import { sql } from 'kysely'
import { listKeys } from '../../accounts/list-keys.ts'
import { type AccountOrderDeps, listAccountOrders, orderLineOf } from '../../orders/members/list-account-orders.ts'
import { slowOrders } from '../../orders/members/waits.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'
import { beginOfDay } from './read-today.ts'

/** The most queued orders that are counted, so that Home is as quick with many. */
const countMax = 99

type Group = { what: 'slow' | 'failed'; count: number; newest: string }

/**
 * Counts the account's slow orders and those that failed today, among the orders of the last days. Finds the newest of each
 * group.
 */
async function groupRecent({ db, products }: AccountOrderDeps, accountId: string, now: Date): Promise<Group[]> {
  const slow = slowOrders(products, now)
  const { rows } = await sql<Group>`
    select what, count(*)::int as count, max(id::text) as newest
    from (
      select id, case when status in ('failed', 'refunded', 'cancelled') then 'failed' else 'slow' end as what from orders
      where account_id = ${accountId} and id >= ${firstIdAt(slow.from.getTime())}::uuid and (
        (status in ('failed', 'refunded', 'cancelled') and updated_at >= ${beginOfDay(now)}) or
        (status in ('pending', 'processing') and created_at <= ${slow.to} and kind = any(${slow.kinds}::text[])))
    ) as recent group by what`.execute(db)
  return rows
}

/**
 * Lists what an account's people should look at: queued orders, slow orders, orders that failed today, and keys that wait for
 * approval.
 */
export async function listNeeds(deps: AccountOrderDeps, accountId: string, now: Date) {
  const [queued, groups, keys] = await Promise.all([
    listAccountOrders(deps, accountId, { filters: { status: 'queued' }, limit: countMax }),
    groupRecent(deps, accountId, now),
    listKeys(deps.db, { accountId, status: 'pending' }),
  ])
  const [firstQueued] = queued.orders
  const newest = await Promise.all(
    groups.map(async ({ what, count, newest: name }) => {
      const { orders } = await listAccountOrders(deps, accountId, { filters: { search: name }, limit: 1 })
      return orders.map((order) => ({ what, count, isMore: false, order: orderLineOf(order) }))
    }),
  )
  return {
    orders: [
      ...(firstQueued
        ? [
            {
              what: 'queued' as const,
              count: queued.orders.length,
              isMore: queued.next !== null,
              order: orderLineOf(firstQueued),
            },
          ]
        : []),
      ...newest.flat(),
    ],
    keys,
  }
}
