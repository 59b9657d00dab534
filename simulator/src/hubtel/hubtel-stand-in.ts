import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Effect, EffectLog } from '../effects/open-effect-log.ts'
import type { SimulatorConfig } from '../read-simulator-config.ts'
import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import type { SimulatedSupplier } from '../simulated-supplier.ts'
import { runStandIn, type StandInRun } from '../stand-in/run-stand-in.ts'
import type { WebhookQueue } from '../webhooks/start-webhook-queue.ts'
import { announceTransaction, codeOfStatus, sendCallback } from './announce-transaction.ts'
import { openTransactionBook, type Transaction, type TransactionBook, transactionIdOf } from './open-transaction-book.ts'
import { findService } from './services.ts'

/** Outcomes that fail at the end. `recipient_rejected` is one, because a bill with ending 901 is accepted and fails later. */
const failing: ReadonlySet<ScriptedOutcome> = new Set(['failed_later', 'recipient_rejected'])

export type HubtelDeps = {
  readonly config: SimulatorConfig
  readonly folder: string
  readonly effects: EffectLog
  /** Times of Hubtel's recorded effects, by reference. */
  readonly delivered: ReadonlyMap<string, number>
  readonly webhooks: WebhookQueue
  readonly log: FastifyBaseLogger
}

/** Differences that a test plants in the statement. */
export type PlantedDifferences = {
  /** References that the statement omits. */
  omit: string[]
  /** Amounts in GHS that the statement reports instead of the paid ones, by reference. */
  change: Record<string, number>
  /** Transactions that never happened. */
  invent: { reference: string; amount: number; commission: number }[]
}

/** Hubtel's transactions, our float there, and the open deliveries. */
export type HubtelStandIn = SimulatedSupplier &
  StandInRun<Transaction> & {
    readonly account: SimulatorConfig['hubtel']
    readonly book: TransactionBook
    readonly planted: PlantedDifferences
    /** Makes the id of a session for one payment of one meter. */
    openSession(meter: string): string
    /**
     * Ends a session.
     * @returns whether it was a session of this meter
     */
    useSession(sessionId: string, meter: string): boolean
  }

/** Keeps Ghana Water's sessions: a query opens one, and one payment uses it up. A restart drops them. */
function createSessions(): Pick<HubtelStandIn, 'openSession' | 'useSession'> {
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

/** Opens Hubtel's transactions and resumes open deliveries of the last process. */
export async function openHubtelStandIn(deps: HubtelDeps): Promise<HubtelStandIn> {
  const { config, effects, webhooks, log } = deps
  const book = await openTransactionBook(deps.folder, deps.delivered)
  const planted: PlantedDifferences = { omit: [], change: {}, invent: [] }
  const run = runStandIn({
    config,
    floatPesewas: config.hubtel.floatPesewas,
    book,
    effects,
    failing,
    effectOf,
    announce: (transaction, behaviour) => announceTransaction({ webhooks, behaviour }, transaction),
    log,
  })
  for (const transaction of book.list()) if (transaction.status === 'open') run.schedule(transaction)

  return {
    ...run,
    ...createSessions(),
    name: 'hubtel',
    account: config.hubtel,
    book,
    planted,
    resetBehaviour: () => {
      run.resetBehaviour()
      Object.assign(planted, { omit: [], change: {}, invent: [] })
    },
    sendWebhook: ({ reference, orderStatus, signature }) => {
      const transaction = book.find(reference)
      const { behaviour } = run
      const code = codeOfStatus(orderStatus)
      if (transaction) sendCallback({ webhooks, behaviour }, transaction, { code, signature, delayMilliseconds: 0 })
      return transaction !== undefined
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
