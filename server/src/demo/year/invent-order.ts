import type { OrderStatus } from '../../orders/order-life-cycle.ts'
import type { DemoOpenOrder } from './demo-rows.ts'
import type { DemoAccount, DemoWorld } from './demo-world.ts'

export type DemoSale = {
  readonly id: string
  readonly account: DemoAccount
  readonly at: number
  readonly kind: string
  readonly reference: string
  /** The reseller's own reference, for products whose orders store it beside `reference`. */
  readonly ownReference?: string
  readonly price: number
  readonly recipient: string
  readonly source?: string
  readonly details: object
}

/**
 * An order that is being invented. A step takes place only if neither it nor an earlier step lies after the end of the history.
 */
export type InventedOrder = {
  readonly sale: DemoSale
  readonly status: OrderStatus
  /** @returns whether the step took place */
  step(at: number, act: () => void): boolean
  move(at: number, to: OrderStatus, reason: string | null, actor?: string): boolean
  /** Moves a failed order to `refunded`, and its price back into the wallet. */
  refund(at: number, actor?: string): boolean
  /** Writes the order; while it is open, its place in the schedule too. */
  end(place: Omit<DemoOpenOrder, 'orderId'>): void
}

const openStatuses: ReadonlySet<OrderStatus> = new Set(['queued', 'pending', 'processing'])

/** Begins an order. Its price must be paid. */
export function inventOrder(world: DemoWorld, sale: DemoSale, firstStatus: OrderStatus): InventedOrder {
  const { rows, until } = world
  const { id: orderId, account } = sale
  // Read now, because the account may have another role later.
  const { role } = account
  let status = firstStatus
  let updatedAt = sale.at
  let isOver = false

  function step(at: number, act: () => void): boolean {
    if (isOver || at > until) isOver = true
    else act()
    return !isOver
  }

  function move(at: number, to: OrderStatus, reason: string | null, actor = 'worker'): boolean {
    return step(at, () => {
      rows.events.push({ orderId, from: status, to, reason, actor, at })
      status = to
      updatedAt = at
    })
  }

  return {
    sale,
    get status() {
      return status
    },
    step,
    move,
    refund(at, actor) {
      return step(at, () => {
        move(at, 'refunded', null, actor)
        world.agenda.add(at, () => returnPrice(world, sale, at))
      })
    },
    end(place) {
      const { kind, reference, price, recipient, details, source = 'api' } = sale
      const row = {
        id: orderId,
        accountId: account.id,
        kind,
        reference,
        status,
        price,
        recipient,
        source,
        details,
        role,
        at: sale.at,
        updatedAt,
      }
      rows.orders.push(row)
      if (kind !== 'utilities' && kind !== 'sms') rows.sharedReferences.push(row)
      else if (sale.ownReference !== undefined) rows.ownReferences.push({ ...row, own: sale.ownReference })
      if (openStatuses.has(status)) rows.openOrders.push({ ...place, orderId })
    },
  }
}

export function returnPrice(world: DemoWorld, { id, account, price, kind }: DemoSale, at: number): void {
  const [fromPurse, toPurse] = kind === 'sms' ? (['sms_sales', 'sms_credits'] as const) : (['sales', 'main'] as const)
  world.post(at, { causeId: id, kind: 'refund', accountId: account.id, fromPurse, toPurse, amount: price })
}
