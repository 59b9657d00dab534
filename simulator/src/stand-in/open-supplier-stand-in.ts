import type { FastifyBaseLogger } from 'fastify'
import type { SupplierBehaviour } from '../control/behaviour.ts'
import type { Effect, EffectLog } from '../effects/open-effect-log.ts'
import type { SimulatorConfig } from '../read-simulator-config.ts'
import { formatOrderCode, type OrderBook, openOrderBook, type SimulatedOrder } from './open-order-book.ts'
import { runStandIn, type StandInRun } from './run-stand-in.ts'

export type StandInDeps = {
  readonly config: SimulatorConfig
  readonly folder: string
  readonly effects: EffectLog
  /** Times of the supplier's recorded effects, by reference. */
  readonly delivered: ReadonlyMap<string, number>
  /** Returns whether any registry of MTN numbers holds the number. */
  readonly isRegisteredSomewhere: (number: string) => boolean
  readonly log: FastifyBaseLogger
}

/** Facts by which one supplier differs from the others. */
export type StandInOptions = {
  readonly name: string
  readonly codePrefix: string
  readonly apiKey: string
  readonly floatPesewas: number
  /** Called when an order has ended. Absent: the supplier sends no webhooks. */
  readonly announce?: (order: SimulatedOrder, behaviour: SupplierBehaviour) => void
}

/** A simulated supplier of bundles: its orders, our float there, and its open deliveries. */
export type SupplierStandIn = StandInRun<SimulatedOrder> & {
  readonly name: string
  readonly apiKey: string
  readonly book: OrderBook
  /** Returns whether any registry of MTN numbers holds the number. DataMart refuses MTN bundles for other numbers. */
  isRegisteredSomewhere(number: string): boolean
  codeOf(order: SimulatedOrder): string
}

/** Opens a supplier's orders and resumes open deliveries of the last process. */
export async function openSupplierStandIn(deps: StandInDeps, options: StandInOptions): Promise<SupplierStandIn> {
  const { config, effects, log } = deps
  const { name, codePrefix, apiKey, floatPesewas, announce } = options
  const book = await openOrderBook({ folder: deps.folder, supplier: name, codePrefix, delivered: deps.delivered })
  const codeOf = (order: SimulatedOrder) => formatOrderCode(codePrefix, order.sequence)
  const effectOf = (order: SimulatedOrder, at: number): Effect => ({
    supplier: name,
    product: 'data',
    reference: order.ref,
    supplierReference: codeOf(order),
    recipient: order.phoneNumber,
    network: order.network,
    capacity: order.capacity,
    cost: order.costPesewas / 100,
    at: new Date(at).toISOString(),
  })
  const run = runStandIn({ config, floatPesewas, book, effects, failing: new Set(['failed_later']), effectOf, announce, log })
  for (const order of book.openOrders()) run.schedule(order)
  return { ...run, name, apiKey, isRegisteredSomewhere: deps.isRegisteredSomewhere, book, codeOf }
}
