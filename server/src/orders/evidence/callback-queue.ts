import type { Db } from '../../platform/database/database.ts'
import { isFaultOfTheData } from '../../platform/database/database-errors.ts'
import { createBatchedCall } from '../../platform/gathering/create-batched-call.ts'
import { type CallbackOutcome, recordCallbacks, type SupplierCallback } from './record-callbacks.ts'

/** Collects callbacks. A callback is answered after its commit. */
export type CallbackQueue = {
  /** @throws the database's error, when this callback could not be kept */
  note(callback: SupplierCallback): Promise<CallbackOutcome>
}

/** One transaction keeps at most this many callbacks, so that its locks are short. */
const batchMax = 256

/**
 * Under load, callbacks are collected for this long before the next commit: many small commits cost more than the work
 * in them.
 */
const gatherMilliseconds = 25

/**
 * Opens the queue. Callbacks that arrive during a commit share the next transaction. An idle queue commits at once. A
 * callback that cannot be kept does not affect the others. While the database does not answer, all callbacks are
 * refused, so that their suppliers send them again.
 */
export function openCallbackQueue(db: Db): CallbackQueue {
  const record = createBatchedCall({
    batchMax,
    restMilliseconds: gatherMilliseconds,
    answer: (callbacks: readonly SupplierCallback[]) => recordCallbacks(db, callbacks),
    isOneToBlame: isFaultOfTheData,
  })
  return { note: record }
}
