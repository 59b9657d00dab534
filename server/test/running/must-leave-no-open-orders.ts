import type { Db } from '../../src/platform/database/database.ts'

export type LeaveOpenOptions = {
  /** Why the test leaves orders open; undefined if it does not. */
  readonly why: string | undefined
  /** The orders that tests before it left. */
  readonly before?: ReadonlySet<string>
}

/** Which orders have not ended. */
export async function listOpenOrders(db: Db): Promise<{ order_id: string; route: string; hold_reason: string | null }[]> {
  return db.selectFrom('open_orders').select(['order_id', 'route', 'hold_reason']).execute()
}

/**
 * Holds a test to having ended every order it placed, unless it said why it leaves some. A test that expects an order
 * to end, and does not look, fails here.
 *
 * @throws with the orders that were forgotten, and when a test that said why left none
 */
export async function mustLeaveNoOpenOrders(db: Db, { why, before = new Set() }: LeaveOpenOptions): Promise<void> {
  const open = (await listOpenOrders(db)).filter(({ order_id }) => !before.has(order_id))
  if (why !== undefined && open.length === 0) throw new Error(`all orders have ended, but the test leaves some open: ${why}`)
  if (why !== undefined || open.length === 0) return
  const some = open.slice(0, 5).map((order) => `${order.order_id} on ${order.route} (${order.hold_reason ?? 'not held'})`)
  throw new Error(`the test left ${open.length} orders open and did not say why (leaveOpen): ${some.join(', ')}`)
}
