import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '../../platform/database/database.ts'
import { classifyDatabaseError } from '../../platform/database/database-errors.ts'
import { type CallbackOutcome, noteCallbacks, type SupplierCallback } from './note-callbacks.ts'

/** Takes callbacks as they come; each is answered once it is committed. */
export type CallbackQueue = {
  /** @throws what the database said, when this one could not be kept */
  note(callback: SupplierCallback): Promise<CallbackOutcome>
}

/** One transaction keeps no more callbacks than this, so that its locks are short. */
const batchMax = 256

/** Under load the callbacks of this time gather for the next commit: many small ones cost more than their work. */
const gatherMilliseconds = 10

type Waiting = {
  readonly callback: SupplierCallback
  readonly resolve: (outcome: CallbackOutcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * Opens the queue: callbacks that arrive while others are being committed share the next transaction. An idle queue
 * commits at once; commits that follow each other gather callbacks in between. One that cannot be kept does not take its neighbours with it; while the
 * database is away all are refused, so that their supplier sends them again.
 */
export function openCallbackQueue(db: Db): CallbackQueue {
  let waiting: Waiting[] = []
  let isRunning = false

  async function commit(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await noteCallbacks(
        db,
        batch.map(({ callback }) => callback),
      )
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as CallbackOutcome)
    } catch (error) {
      const kind = classifyDatabaseError(error)
      if (batch.length === 1 || (kind !== 'other' && kind !== 'constraint')) {
        for (const { reject } of batch) reject(error)
        return
      }
      const middle = Math.ceil(batch.length / 2)
      await commit(batch.slice(0, middle))
      await commit(batch.slice(middle))
    }
  }

  async function run(): Promise<void> {
    isRunning = true
    // The callbacks of one turn of the event loop go together.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      await commit(batch)
      if (waiting.length < batchMax) await wait(gatherMilliseconds)
    }
    isRunning = false
  }

  return {
    note: (callback) =>
      new Promise((resolve, reject) => {
        waiting.push({ callback, resolve, reject })
        if (!isRunning) void run()
      }),
  }
}
