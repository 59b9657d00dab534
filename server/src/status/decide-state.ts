/**
 * `paused`: orders are taken and wait, because no route of an enabled supplier is open. `off`: the operator does not sell it
 * now. The others follow from what became of the newest orders.
 */
export type ServiceState = 'working' | 'slow' | 'failing' | 'broken' | 'paused' | 'off'

/** The newest orders of a service. `late`: at a supplier, and open for too long. */
export type RecentOrders = {
  readonly delivered: number
  readonly failed: number
  readonly late: number
  readonly deliverySeconds: number | null
}

/** A share of fewer ended orders would show what single customers bought. */
const endedOrdersMin = 5

/** The share of the ended orders that was delivered, 0 to 1. Null: too few have ended. */
export function shareOf({ delivered, failed }: { readonly delivered: number; readonly failed: number }): number | null {
  const ended = delivered + failed
  return ended < endedOrdersMin ? null : delivered / ended
}

/** A service counts as failing below the first share of deliveries, and as broken below the second. */
const failingBelow = 0.9
const brokenBelow = 0.5

/** With fewer late orders, a wait may be the fault of one number. */
const lateOrdersMin = 3
const lateShareMin = 0.2

/** Decides the public state of a service. One that the operator switched off or paused is shown so, however its orders went. */
export function decideState(seen: {
  readonly isSold: boolean
  readonly canSend: boolean
  readonly orders: RecentOrders
}): ServiceState {
  const { delivered, failed, late } = seen.orders
  if (!seen.isSold) return 'off'
  if (!seen.canSend) return 'paused'
  const share = shareOf(seen.orders)
  if (share !== null && share < brokenBelow) return 'broken'
  if (late >= lateOrdersMin && late >= lateShareMin * (delivered + failed + late)) return 'slow'
  return share !== null && share < failingBelow ? 'failing' : 'working'
}
