import type { FastifyBaseLogger } from 'fastify'
import type { SupplierBehaviour } from '../control/behaviour.ts'
import { changeBehaviour, defaultBehaviour } from '../control/behaviour.ts'
import type { Effect, EffectLog } from '../effects/open-effect-log.ts'
import type { SimulatorConfig } from '../read-simulator-config.ts'
import type { SimulatedSupplier } from '../simulated-supplier.ts'
import { formatOrderCode, type OrderBook, openOrderBook, type SimulatedOrder } from './open-order-book.ts'

/** A delivery whose record could not be written is tried again after this long: it has not happened yet. */
const recordAgainMilliseconds = 1_000

/** What every supplier's desk stands on. */
export type DeskDeps = {
  readonly config: SimulatorConfig
  readonly folder: string
  readonly effects: EffectLog
  /** When each of the supplier's recorded effects happened, by reference. */
  readonly delivered: ReadonlyMap<string, number>
  /** Whether any registry of MTN numbers holds the number. */
  readonly isRegisteredSomewhere: (number: string) => boolean
  readonly log: FastifyBaseLogger
}

/** Who the supplier is, and what it does of its own accord. */
export type DeskOptions = {
  readonly name: string
  readonly codePrefix: string
  readonly apiKey: string
  readonly floatPesewas: number
  /** Called when an order has ended; absent for a supplier that tells nothing. */
  readonly announce?: (order: SimulatedOrder, behaviour: SupplierBehaviour) => void
}

/** A supplier itself: its orders, our float there, and what is still to be delivered. */
export type SupplierDesk = Omit<SimulatedSupplier, 'sendWebhook'> & {
  readonly apiKey: string
  readonly book: OrderBook
  /** Whether any registry of MTN numbers holds the number; to others nothing on MTN is delivered. */
  isRegisteredSomewhere(number: string): boolean
  /** The supplier's own code of an order. */
  codeOf(order: SimulatedOrder): string
  /** What our float holds. */
  balancePesewas(): number
  /** Whether purchases are told that it is empty, whatever it holds. */
  isFloatSaidToBeEmpty(): boolean
  /** Delivers or fails an order when its time has come. */
  schedule(order: SimulatedOrder): void
  /** Delivers or fails an order now; again a little later if that cannot be recorded. Never rejects. */
  finish(order: SimulatedOrder): Promise<void>
}

/** Opens a supplier's books and goes on with what was not delivered when the last process ended. */
export async function openSupplierDesk(deps: DeskDeps, options: DeskOptions): Promise<SupplierDesk> {
  const { config, effects, log } = deps
  const { name, codePrefix } = options
  const book = await openOrderBook({ folder: deps.folder, supplier: name, codePrefix, delivered: deps.delivered })
  const behaviour: SupplierBehaviour = defaultBehaviour(config)
  const timers = new Set<NodeJS.Timeout>()
  let { floatPesewas } = options
  let isClosed = false
  const codeOf = (order: SimulatedOrder) => formatOrderCode(codePrefix, order.sequence)

  async function finish(order: SimulatedOrder): Promise<void> {
    try {
      await recordEnd(order)
    } catch (error) {
      log.error({ err: error, reference: order.ref }, 'the end of an order could not be recorded')
      if (!isClosed) scheduleIn(order, recordAgainMilliseconds)
      return
    }
    options.announce?.(order, behaviour)
  }

  async function recordEnd(order: SimulatedOrder): Promise<void> {
    if (order.outcome === 'failed_later') return book.fail(order)
    const at = Date.now()
    await effects.record(effectOf(name, codeOf(order), order, at))
    book.markDelivered(order, at)
  }

  function scheduleIn(order: SimulatedOrder, milliseconds: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      void finish(order)
    }, milliseconds)
    timers.add(timer)
  }

  const schedule = (order: SimulatedOrder) => scheduleIn(order, Math.max(0, order.finishesAt - Date.now()))
  for (const order of book.openOrders()) schedule(order)

  return {
    name,
    apiKey: options.apiKey,
    isRegisteredSomewhere: deps.isRegisteredSomewhere,
    book,
    behaviour,
    codeOf,
    resetBehaviour: () => {
      behaviour.scripts.clear()
      const { scripts: _, ...defaults } = defaultBehaviour(config)
      changeBehaviour(behaviour, defaults)
      floatPesewas = options.floatPesewas
    },
    setFloatGhs: (amount) => {
      floatPesewas = Math.round(amount * 100) + book.spentPesewas()
    },
    balancePesewas: () => floatPesewas - book.spentPesewas(),
    isFloatSaidToBeEmpty: () => behaviour.outage === 'float_empty',
    schedule,
    finish,
    counts: () => ({ orders: book.count(), waiting: timers.size }),
    close: async () => {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
      await book.close()
    },
  }
}

function effectOf(supplier: string, supplierReference: string, order: SimulatedOrder, at: number): Effect {
  return {
    supplier,
    product: 'data',
    reference: order.ref,
    supplierReference,
    recipient: order.phoneNumber,
    network: order.network,
    capacity: order.capacity,
    cost: order.costPesewas / 100,
    at: new Date(at).toISOString(),
  }
}
