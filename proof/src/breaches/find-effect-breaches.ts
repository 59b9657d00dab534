import type { Installation } from '../installation.ts'

type Effect = {
  readonly product: string
  readonly reference: string
  readonly recipient: string
  /** In GHS. Undefined for bundles. */
  readonly amount?: number
  readonly at: string
}
type Attempt = {
  order_id: string
  outgoing_reference: string
  reference: string
  status: string
  kind: string
  recipient: string
  price: number
}

/** Reads the simulator's durable log of deliveries. */
export async function readEffects(installation: Installation): Promise<Effect[]> {
  const response = await fetch(`${installation.simulator.url}/effects`)
  return ((await response.json()) as { effects: Effect[] }).effects
}

/** Statuses that an order may have after its delivery. */
const statusesAfterDelivery = new Set(['processing', 'completed'])

/** Returns whether a delivery equals its order: the same thing, to the same recipient, at its face value. */
function isOrdered(effect: Effect, order: Attempt): boolean {
  const isFaceValue = effect.amount === undefined || Math.round(effect.amount * 100) === order.price
  return effect.product === order.kind && effect.recipient === order.recipient && isFaceValue
}

/**
 * Compares deliveries with orders: at most one delivery per order, exactly one for a completed order, none for a refunded
 * one, none that differs from its order, and none without an attempt of ours.
 * @returns the breaches, in words
 */
export async function findEffectBreaches(installation: Installation): Promise<string[]> {
  // The orders are read first. A delivery between the two reads then belongs to an order that was not yet completed when it was
  // read.
  const attempts = await installation.query<Attempt>(
    `select attempts.order_id, outgoing_reference, reference, status, kind, recipient, price::float8 as price
     from attempts join orders on orders.id = attempts.order_id`,
  )
  const effects = await readEffects(installation)
  const byReference = new Map(attempts.map((attempt) => [attempt.outgoing_reference, attempt]))
  const deliveries = new Map<string, number>()
  const breaches: string[] = []
  for (const effect of effects) {
    const attempt = byReference.get(effect.reference)
    if (attempt) {
      deliveries.set(attempt.order_id, (deliveries.get(attempt.order_id) ?? 0) + 1)
      if (!isOrdered(effect, attempt)) breaches.push(`${attempt.reference} came to ${JSON.stringify(effect)}`)
    } else if (!(await isAttempt(installation, effect.reference))) {
      breaches.push(`${effect.recipient} got ${effect.product} under ${effect.reference}, which is no attempt`)
    }
  }
  const orders = new Map(attempts.map((attempt) => [attempt.order_id, attempt]))
  for (const { order_id: orderId, reference, status } of orders.values()) {
    const count = deliveries.get(orderId) ?? 0
    if (count > 1) breaches.push(`${reference} was delivered ${count} times`)
    if (status === 'completed' && count === 0) breaches.push(`${reference} is completed and was never delivered`)
    if (count > 0 && !statusesAfterDelivery.has(status)) breaches.push(`${reference} is ${status} and was delivered`)
  }
  return breaches
}

/** Looks for an attempt once more, because it may have been recorded after the first read. */
async function isAttempt(installation: Installation, outgoingReference: string): Promise<boolean> {
  const rows = await installation.query('select from attempts where outgoing_reference = $1', [outgoingReference])
  return rows.length === 1
}
