import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { SupplierBehaviour } from '../control/behaviour.ts'
import { changeBehaviour, defaultBehaviour } from '../control/behaviour.ts'
import type { Effect, EffectLog } from '../effects/open-effect-log.ts'
import type { SimulatorConfig } from '../read-simulator-config.ts'
import type { SimulatedSupplier } from '../simulated-supplier.ts'
import type { WebhookQueue } from '../webhooks/start-webhook-queue.ts'
import { announceTransaction, codeOfStatus, sendCallback } from './announce-transaction.ts'
import { openTransactionBook, type Transaction, type TransactionBook, transactionIdOf } from './open-transaction-book.ts'
import { findService } from './services.ts'

/** A delivery whose record could not be written is tried again after this long: it has not happened yet. */
const recordAgainMilliseconds = 1_000

export type HubtelDeps = {
  readonly config: SimulatorConfig
  readonly folder: string
  readonly effects: EffectLog
  /** When each of Hubtel's recorded effects happened, by reference. */
  readonly delivered: ReadonlyMap<string, number>
  readonly webhooks: WebhookQueue
  readonly log: FastifyBaseLogger
}

/** What the statement is to say that is not so. */
export type PlantedDifferences = {
  /** References that are left out. */
  omit: string[]
  /** GHS by reference, instead of what was paid. */
  change: Record<string, number>
  /** Transactions that never were. */
  invent: { reference: string; amount: number; commission: number }[]
}

/** Hubtel itself: its transactions, our deposit there, and what is still to be delivered. */
export type HubtelDesk = SimulatedSupplier & {
  readonly account: SimulatorConfig['hubtel']
  readonly book: TransactionBook
  readonly planted: PlantedDifferences
  balancePesewas(): number
  /** Whether payments are told that the deposit is empty, whatever it holds. */
  isFloatSaidToBeEmpty(): boolean
  /** Delivers or fails a transaction when its time has come. */
  schedule(transaction: Transaction): void
  /** Delivers or fails a transaction now; again a little later if that cannot be recorded. Never rejects. */
  finish(transaction: Transaction): Promise<void>
  /** A session for one payment of one meter. */
  openSession(meter: string): string
  /** @returns whether the session was one of this meter, which it no longer is */
  useSession(sessionId: string, meter: string): boolean
}

/** Sessions of Ghana Water: made by a query, good for one payment. Not kept over a restart. */
function keepSessions(): Pick<HubtelDesk, 'openSession' | 'useSession'> {
  const meters = new Map<string, string>()
  return {
    openSession: (meter) => {
      const sessionId = randomUUID()
      meters.set(sessionId, meter)
      return sessionId
    },
    useSession: (sessionId, meter) => meters.get(sessionId) === meter && meters.delete(sessionId),
  }
}

/** Opens Hubtel's books and goes on with what was not delivered when the last process ended. */
export async function openHubtelDesk(deps: HubtelDeps): Promise<HubtelDesk> {
  const { config, effects, log } = deps
  const book = await openTransactionBook(deps.folder, deps.delivered)
  const behaviour: SupplierBehaviour = defaultBehaviour(config)
  const announcement = { webhooks: deps.webhooks, behaviour }
  const planted: PlantedDifferences = { omit: [], change: {}, invent: [] }
  const timers = new Set<NodeJS.Timeout>()
  let { floatPesewas } = config.hubtel
  let isClosed = false

  async function finish(transaction: Transaction): Promise<void> {
    try {
      await recordEnd(transaction)
    } catch (error) {
      log.error({ err: error, reference: transaction.reference }, 'the end of a transaction could not be recorded')
      if (!isClosed) scheduleIn(transaction, recordAgainMilliseconds)
      return
    }
    announceTransaction(announcement, transaction)
  }

  async function recordEnd(transaction: Transaction): Promise<void> {
    if (transaction.outcome === 'failed_later' || transaction.outcome === 'recipient_rejected') return book.fail(transaction)
    const at = Date.now()
    await effects.record(effectOf(transaction, at))
    book.markDelivered(transaction, at)
  }

  function scheduleIn(transaction: Transaction, milliseconds: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      void finish(transaction)
    }, milliseconds)
    timers.add(timer)
  }

  const schedule = (transaction: Transaction) => scheduleIn(transaction, Math.max(0, transaction.finishesAt - Date.now()))
  for (const transaction of book.list()) if (transaction.status === 'open') schedule(transaction)

  return {
    ...keepSessions(),
    name: 'hubtel',
    account: config.hubtel,
    book,
    behaviour,
    planted,
    resetBehaviour: () => {
      behaviour.scripts.clear()
      const { scripts: _, ...defaults } = defaultBehaviour(config)
      changeBehaviour(behaviour, defaults)
      Object.assign(planted, { omit: [], change: {}, invent: [] })
      floatPesewas = config.hubtel.floatPesewas
    },
    setFloatGhs: (amount) => {
      floatPesewas = Math.round(amount * 100) + book.spentPesewas()
    },
    balancePesewas: () => floatPesewas - book.spentPesewas(),
    isFloatSaidToBeEmpty: () => behaviour.outage === 'float_empty',
    schedule,
    finish,
    sendWebhook: ({ reference, orderStatus, signature }) => {
      const transaction = book.find(reference)
      const code = codeOfStatus(orderStatus)
      if (transaction) sendCallback(announcement, transaction, { code, signature, delayMilliseconds: 0 })
      return transaction !== undefined
    },
    counts: () => ({ orders: book.count(), waiting: timers.size }),
    close: async () => {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
      await book.close()
    },
  }
}

function effectOf(transaction: Transaction, at: number): Effect {
  const { reference, recipient, amountPesewas, capacity, serviceId } = transaction
  const service = findService(serviceId)
  return {
    supplier: 'hubtel',
    product: service?.product ?? serviceId,
    reference,
    supplierReference: transactionIdOf(transaction),
    recipient,
    network: service?.name ?? serviceId,
    ...(capacity === undefined ? {} : { capacity }),
    amount: amountPesewas / 100,
    cost: amountPesewas / 100,
    at: new Date(at).toISOString(),
  }
}
