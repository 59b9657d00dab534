import { sql } from 'kysely'
import { formatGhs, pesewas } from '../../money/pesewas.ts'
import { transferMany } from '../../money/transfer-many.ts'
import { lockWallets } from '../../money/wallets.ts'
import { listOrdersById, type Order, pesewasOf } from '../../orders/order.ts'
import { moveOrders } from '../../orders/settlement/move-orders.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { afaKind, afaRoute } from './afa.kind.ts'
import { afaRefundOnCancel } from './afa.settings.ts'

export type RegistrationDecision = {
  readonly reference: string
  /** Reason or proof, for the order's history and the operator's log. Must not contain identity data. */
  readonly reason: string | null
  readonly by: string
  /** True: the action is refused when somebody else has claimed the registration. */
  readonly isForClaimerOnly?: boolean
}

/** A registration that is missing, or in the wrong state for an action. The message is for the operator's people. */
export class RegistrationStateError extends OperatorRequestError {
  override readonly name = 'RegistrationStateError'
}

async function findRegistration(db: Db, reference: string): Promise<Order> {
  const held = await db
    .selectFrom('order_references')
    .select('order_id')
    .where('reference', '=', reference)
    .where('kind', '=', 'afa')
    .executeTakeFirst()
  const order = held && (await listOrdersById(db, [held.order_id])).get(held.order_id)
  if (!order) throw new RegistrationStateError(`There is no AFA registration ${JSON.stringify(reference)}.`)
  return order
}

/**
 * Finds the account of a registration.
 * @throws RegistrationStateError when there is no such registration
 */
export async function findAccountOf(db: Db, reference: string): Promise<string> {
  return (await findRegistration(db, reference)).accountId
}

/** Locks the order's row in `open_orders`, as every move of an open order does, and reads the order again. */
async function lockRegistration(tx: Tx, orderId: string): Promise<Order> {
  await sql`select from open_orders where order_id = ${orderId} for update`.execute(tx)
  const order = (await listOrdersById(tx, [orderId])).get(orderId)
  if (!order) throw new Error(`order ${orderId} vanished`)
  return order
}

async function claimLocked(tx: Tx, orders: readonly Order[], by: string): Promise<void> {
  const moves = orders.map(({ id }) => ({ orderId: id, reason: null }))
  const moved = await moveOrders(tx, 'pending', 'processing', by, moves)
  if (moved.length !== orders.length) throw new Error('a registration moved while it was locked')
  await sql`
    update afa_registrations set claimed_by = ${by}, claimed_at = clock_timestamp()
    where order_id = any(${moved}::uuid[])`.execute(tx)
  const details = { before: 'pending', after: 'processing' }
  for (const { reference } of orders) await appendOperatorLog(tx, { actor: by, action: 'afa claim', subject: reference, details })
}

/**
 * Claims registrations: all, or none when one cannot be claimed.
 * @throws RegistrationStateError unless each exists and is `pending`
 */
export async function claimRegistrations(db: Db, references: readonly string[], by: string): Promise<void> {
  const found = new Map<string, Order>()
  for (const reference of references) {
    const order = await findRegistration(db, reference)
    found.set(order.id, order)
  }
  await inTransaction(db, async (tx) => {
    // A fixed order of locks, so that two people who claim the same registrations cannot deadlock.
    for (const id of [...found.keys()].toSorted()) {
      const { reference, status } = await lockRegistration(tx, id)
      if (status !== 'pending') throw new RegistrationStateError(`Registration ${reference} is ${status} already.`)
    }
    await claimLocked(tx, [...found.values()], by)
  })
}

/**
 * Claims the oldest unclaimed registrations. Two people at once get different ones.
 * @returns their references
 */
export function claimNextRegistrations(db: Db, count: number, by: string): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ order_id: string }>`
      select open_orders.order_id
      from open_orders join orders on orders.id = open_orders.order_id
      where open_orders.route = ${afaRoute} and orders.status = 'pending'
      order by open_orders.order_id limit ${count} for update of open_orders skip locked`.execute(tx)
    const found = await listOrdersById(
      tx,
      rows.map((row) => row.order_id),
    )
    const orders = rows.flatMap((row) => found.get(row.order_id) ?? []).filter((order) => order.status === 'pending')
    await claimLocked(tx, orders, by)
    return orders.map((order) => order.reference)
  })
}

async function readClaimer(tx: Tx, orderId: string): Promise<string | null> {
  const row = await tx.selectFrom('afa_registrations').select('claimed_by').where('order_id', '=', orderId).executeTakeFirst()
  return row?.claimed_by ?? null
}

async function refuseOtherThanClaimer(
  tx: Tx,
  { id, reference, status }: Order,
  { by, isForClaimerOnly }: RegistrationDecision,
): Promise<void> {
  const claimer = status === 'processing' && isForClaimerOnly ? await readClaimer(tx, id) : null
  if (claimer === null || claimer === by) return
  throw new RegistrationStateError(`${claimer} works on registration ${reference}. Take it over first.`)
}

/**
 * Takes a registration over from its claimer.
 * @returns the earlier claimer
 * @throws RegistrationStateError unless somebody else has claimed it
 */
export async function takeOverRegistration(
  db: Db,
  { reference: named, reason, by }: Pick<RegistrationDecision, 'reference' | 'reason' | 'by'>,
): Promise<string | null> {
  const { id, reference } = await findRegistration(db, named)
  return inTransaction(db, async (tx) => {
    const { status } = await lockRegistration(tx, id)
    if (status !== 'processing') throw new RegistrationStateError(`Nobody works on registration ${reference}: it is ${status}.`)
    const before = await readClaimer(tx, id)
    if (before === by) throw new RegistrationStateError(`${by} works on registration ${reference} already.`)
    await sql`
      update afa_registrations set claimed_by = ${by}, claimed_at = clock_timestamp() where order_id = ${id}`.execute(tx)
    await appendOperatorLog(tx, {
      actor: by,
      action: 'afa take-over',
      subject: reference,
      details: { before, after: by, reason },
    })
    return before
  })
}

async function end(tx: Tx, order: Order, status: 'completed' | 'cancelled', decision: RegistrationDecision): Promise<void> {
  const moved = await moveOrders(tx, 'processing', status, decision.by, [{ orderId: order.id, reason: decision.reason }])
  if (moved.length !== 1) throw new Error(`registration ${order.reference} moved while it was locked`)
  await sql`delete from open_orders where order_id = ${order.id}`.execute(tx)
}

/**
 * @throws RegistrationStateError when it is not `processing`, or when `isForClaimerOnly` is set and somebody else has claimed
 *   it
 */
export async function completeRegistration(db: Db, decision: RegistrationDecision): Promise<void> {
  const { id, reference } = await findRegistration(db, decision.reference)
  await inTransaction(db, async (tx) => {
    const order = await lockRegistration(tx, id)
    if (order.status === 'pending') throw new RegistrationStateError(`Nobody works on registration ${reference}. Claim it first.`)
    if (order.status !== 'processing') throw new RegistrationStateError(`Registration ${reference} is ${order.status} already.`)
    await refuseOtherThanClaimer(tx, order, decision)
    await end(tx, order, 'completed', decision)
    const details = { reason: decision.reason, before: 'processing', after: 'completed' }
    await appendOperatorLog(tx, { actor: decision.by, action: 'afa complete', subject: reference, details })
  })
}

/**
 * Cancels an open registration, and refunds its fee in the same transaction unless `afa_refund_on_cancel` is off (decision S3).
 * An unclaimed registration moves through `processing`.
 * @returns the refund in pesewas
 * @throws RegistrationStateError when the registration has ended, or when `isForClaimerOnly` is set and somebody else has
 *   claimed it
 */
export async function cancelRegistration(db: Db, decision: RegistrationDecision): Promise<number> {
  const { id, accountId, reference } = await findRegistration(db, decision.reference)
  return inTransaction(db, async (tx) => {
    await lockWallets(tx, [{ accountId, purse: 'main' }])
    const order = await lockRegistration(tx, id)
    if (order.status !== 'pending' && order.status !== 'processing') {
      throw new RegistrationStateError(`Registration ${reference} is ${order.status} already.`)
    }
    await refuseOtherThanClaimer(tx, order, decision)
    if (order.status === 'pending') await claimLocked(tx, [order], decision.by)
    await end(tx, order, 'cancelled', decision)
    const refundPesewas = (await readSetting(tx, afaRefundOnCancel)) ? pesewasOf(afaKind, order) : 0
    if (refundPesewas > 0) {
      await transferMany(tx, [
        { causeId: id, kind: 'refund', accountId, fromPurse: 'sales', toPurse: 'main', amount: refundPesewas },
      ])
    }
    const details = {
      reason: decision.reason,
      refund: formatGhs(pesewas(refundPesewas)),
      before: order.status,
      after: 'cancelled',
    }
    await appendOperatorLog(tx, { actor: decision.by, action: 'afa cancel', subject: reference, details })
    return refundPesewas
  })
}
