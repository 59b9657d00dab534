import type { FastifyBaseLogger } from 'fastify'
import type { SupplierBehaviour } from '../control/behaviour.ts'
import { changeBehaviour, defaultBehaviour } from '../control/behaviour.ts'
import type { Effect, EffectLog } from '../effects/open-effect-log.ts'
import type { SimulatorConfig } from '../read-simulator-config.ts'
import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import type { SimulatedSupplier } from '../simulated-supplier.ts'

/** A delivery that cannot be recorded has not happened, and is tried again after this time. */
const recordAgainMilliseconds = 1_000

type AcceptedPurchase = {
  readonly outcome: ScriptedOutcome
  readonly finishesAt: number
}

/** The part of a supplier's order book that every stand-in uses in the same way. */
type Book<T> = {
  fail(taken: T): Promise<void>
  /**
   * Marks a purchase as delivered. Call this after the delivery is in the effect log on disk, which is the record of
   * deliveries.
   */
  markDelivered(taken: T, at: number): void
  /** The cost of all purchases that were accepted and did not fail. */
  spentPesewas(): number
  count(): number
  close(): Promise<void>
}

export type StandInRunOptions<T> = {
  readonly config: SimulatorConfig
  /** Our float at the first start, before the purchases in the book. */
  readonly floatPesewas: number
  readonly book: Book<T>
  readonly effects: EffectLog
  /** The outcomes that fail at the end; all others are delivered. */
  readonly failing: ReadonlySet<ScriptedOutcome>
  effectOf(taken: T, at: number): Effect
  /** Called when a purchase has ended. Absent: the supplier sends no webhooks. */
  readonly announce?: ((taken: T, behaviour: SupplierBehaviour) => void) | undefined
  readonly log: FastifyBaseLogger
}

/** Shared by all stand-ins: ends accepted purchases at their time, and keeps our float. */
export type StandInRun<T> = Omit<SimulatedSupplier, 'name' | 'sendWebhook'> & {
  balancePesewas(): number
  /** Returns whether purchases are refused as for an empty float, although the float holds money. */
  isFloatSetEmpty(): boolean
  /** Ends a purchase when its time has come: it is delivered, or it fails. */
  schedule(taken: T): void
  /** Ends a purchase now; tries again later if that cannot be recorded. Never rejects. */
  finish(taken: T): Promise<void>
}

/** Runs a stand-in on its supplier's order book. The caller must schedule the open purchases. */
export function runStandIn<T extends AcceptedPurchase>(options: StandInRunOptions<T>): StandInRun<T> {
  const { config, book, effects, log } = options
  const behaviour: SupplierBehaviour = defaultBehaviour(config)
  /** Purchases that have not ended, by the timers that will end them. */
  const waiting = new Map<NodeJS.Timeout, T>()
  let { floatPesewas } = options
  let isClosed = false

  async function finish(taken: T): Promise<void> {
    try {
      await recordEnd(taken)
    } catch (error) {
      log.error({ err: error, reference: options.effectOf(taken, Date.now()).reference }, 'an end could not be recorded')
      if (!isClosed) scheduleIn(taken, recordAgainMilliseconds)
      return
    }
    options.announce?.(taken, behaviour)
  }

  async function recordEnd(taken: T): Promise<void> {
    if (options.failing.has(taken.outcome)) return book.fail(taken)
    const at = Date.now()
    await effects.record(options.effectOf(taken, at))
    book.markDelivered(taken, at)
  }

  function scheduleIn(taken: T, milliseconds: number): void {
    const timer = setTimeout(() => {
      waiting.delete(timer)
      void finish(taken)
    }, milliseconds)
    waiting.set(timer, taken)
  }

  return {
    behaviour,
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
    isFloatSetEmpty: () => behaviour.outage === 'float_empty',
    schedule: (taken) => scheduleIn(taken, Math.max(0, taken.finishesAt - Date.now())),
    finish,
    finishAll: async () => {
      const ending = [...waiting]
      waiting.clear()
      for (const [timer] of ending) clearTimeout(timer)
      await Promise.all(ending.map(([, taken]) => finish(taken)))
    },
    counts: () => ({ orders: book.count(), waiting: waiting.size }),
    close: async () => {
      isClosed = true
      for (const timer of waiting.keys()) clearTimeout(timer)
      await book.close()
    },
  }
}
