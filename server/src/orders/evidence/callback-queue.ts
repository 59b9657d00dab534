import type { Db } from '../../platform/database/database.ts'
import { isFaultOfTheData } from '../../platform/database/database-errors.ts'
import { gatherQuestions } from '../../platform/gathering/gather.ts'
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

/**
 * Opens the queue: callbacks that arrive while others are being committed share the next transaction. An idle queue
 * commits at once; commits that follow each other gather callbacks in between. One that cannot be kept does not take
 * its neighbours with it; while the database is away all are refused, so that their supplier sends them again.
 */
export function openCallbackQueue(db: Db): CallbackQueue {
  const note = gatherQuestions({
    batchMax,
    restMilliseconds: gatherMilliseconds,
    answer: (callbacks: readonly SupplierCallback[]) => noteCallbacks(db, callbacks),
    isOneToBlame: isFaultOfTheData,
  })
  return { note }
}
