import type { FastifyBaseLogger } from 'fastify'
import type { SupplierBehaviour } from '../control/behaviour.ts'
import { changeBehaviour, defaultBehaviour } from '../control/behaviour.ts'
import type { Effect, EffectLog } from '../effects/open-effect-log.ts'
import type { SimulatorConfig } from '../read-simulator-config.ts'
import type { SimulatedSupplier } from '../simulated-supplier.ts'
import type { WebhookQueue } from '../webhooks/start-webhook-queue.ts'
import { announceOrder, sendOrderWebhook } from './announce-order.ts'
import type { DataMartOrder } from './open-order-book.ts'
import { formatOrderReference, openOrderBook } from './open-order-book.ts'

/** A delivery whose record could not be written is tried again after this long: it has not happened yet. */
const recordAgainMilliseconds = 1_000

export type DataMartDeps = {
  readonly config: SimulatorConfig
  readonly folder: string
  readonly effects: EffectLog
  /** When each of DataMart's recorded effects happened, by reference. */
  readonly delivered: ReadonlyMap<string, number>
  readonly webhooks: WebhookQueue
  readonly log: FastifyBaseLogger
}

/** DataMart itself: its orders, our float there, and what is still to be delivered. */
export type DataMartDesk = SimulatedSupplier & {
  readonly apiKey: string
  readonly book: Awaited<ReturnType<typeof openOrderBook>>
  /** What our float holds. */
  balancePesewas(): number
  /** Whether purchases are told that it is empty, whatever it holds. */
  isFloatSaidToBeEmpty(): boolean
  /** Delivers or fails an order when its time has come. */
  schedule(order: DataMartOrder): void
  /** Delivers or fails an order now; again a little later if that cannot be recorded. Never rejects. */
  finish(order: DataMartOrder): Promise<void>
}

/** Opens DataMart's books and goes on with what was not delivered when the last process ended. */
export async function openDataMartDesk(deps: DataMartDeps): Promise<DataMartDesk> {
  const { config, effects, log } = deps
  const book = await openOrderBook(deps.folder, deps.delivered)
  const behaviour: SupplierBehaviour = defaultBehaviour(config)
  const announcement = { webhooks: deps.webhooks, behaviour, secret: config.datamart.webhookSecret }
  const timers = new Set<NodeJS.Timeout>()
  let floatPesewas = config.datamart.floatPesewas
  let isClosed = false

  async function finish(order: DataMartOrder): Promise<void> {
    try {
      await recordEnd(order)
    } catch (error) {
      log.error({ err: error, reference: order.ref }, 'the end of an order could not be recorded')
      if (!isClosed) scheduleIn(order, recordAgainMilliseconds)
      return
    }
    announceOrder(announcement, order)
  }

  async function recordEnd(order: DataMartOrder): Promise<void> {
    if (order.outcome === 'failed_later') return book.fail(order)
    const at = Date.now()
    await effects.record(effectOf(order, at))
    book.markDelivered(order, at)
  }

  function scheduleIn(order: DataMartOrder, milliseconds: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      void finish(order)
    }, milliseconds)
    timers.add(timer)
  }

  const schedule = (order: DataMartOrder) => scheduleIn(order, Math.max(0, order.finishesAt - Date.now()))
  for (const order of book.openOrders()) schedule(order)

  return {
    name: 'datamart',
    apiKey: config.datamart.apiKey,
    book,
    behaviour,
    resetBehaviour: () => {
      behaviour.scripts.clear()
      const { scripts: _, ...defaults } = defaultBehaviour(config)
      changeBehaviour(behaviour, defaults)
      floatPesewas = config.datamart.floatPesewas
    },
    setFloatGhs: (amount) => {
      floatPesewas = Math.round(amount * 100) + book.spentPesewas()
    },
    balancePesewas: () => floatPesewas - book.spentPesewas(),
    isFloatSaidToBeEmpty: () => behaviour.outage === 'float_empty',
    schedule,
    finish,
    sendWebhook: ({ reference, orderStatus, signature }) => {
      const order = book.find(reference)
      if (order) sendOrderWebhook(announcement, order, { orderStatus, signature, delayMilliseconds: 0 })
      return order !== undefined
    },
    counts: () => ({ orders: book.count(), waiting: timers.size }),
    close: async () => {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
      await book.close()
    },
  }
}

function effectOf(order: DataMartOrder, at: number): Effect {
  return {
    supplier: 'datamart',
    product: 'data',
    reference: order.ref,
    supplierReference: formatOrderReference(order.sequence),
    recipient: order.phoneNumber,
    network: order.network,
    capacity: order.capacity,
    cost: order.costPesewas / 100,
    at: new Date(at).toISOString(),
  }
}
