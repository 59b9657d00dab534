import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type BackOff, backOff } from '../../platform/back-off.ts'
import type { Db } from '../../platform/database/database.ts'
import { isFaultOfTheData } from '../../platform/database/database-errors.ts'
import {
  createBatcher,
  createFifoQueue,
  createPauseBetweenBatches,
  workInHalves,
} from '../../platform/gathering/create-batcher.ts'
import type { SettledBatch, Settlement } from '../settlement/settle-attempts.ts'
import { settleOrders } from '../settlement/settle-orders.ts'

/** Commits suppliers' answers in batches: one commit carries up to `batchMax` answers that came before it. */
export type SettlementQueue = {
  /** The number of answers that are not committed yet. */
  size(): number
  add(settlement: Settlement): void
  /** Commits what is waiting. Resolves when nothing is left, or after this many seconds. */
  drain(seconds: number): Promise<void>
}

type QueueDeps = {
  readonly db: Db
  readonly log: Logger
  readonly onSettled: (batch: SettledBatch) => void
}

/** One commit carries at most this many answers, so that its locks are short. */
const batchMax = 512
/**
 * Under load, answers are collected for this long before the next commit: many small commits cost more than the work in
 * them.
 */
const gatherMilliseconds = 100
/** Milliseconds between tries while the database does not answer. The answers stay in memory. */
const retryPauses: BackOff = { first: 50, most: 2_000 }

/**
 * Opens the queue. An idle queue commits at once; a busy one collects answers between two commits. While the database does
 * not answer, the answers stay in memory. They cannot grow without end, because nothing new can be claimed either. If the
 * process dies, another worker asks the suppliers again.
 */
export function openSettlementQueue({ db, log, onSettled }: QueueDeps): SettlementQueue {
  const queue = createFifoQueue<Settlement>(batchMax)

  /** Tries until the database takes the batch. @throws an error that no further try can mend */
  async function commit(batch: readonly Settlement[]): Promise<void> {
    for (let retry = 0; ; retry += 1) {
      try {
        onSettled(await settleOrders(db, batch))
        return
      } catch (error) {
        if (isFaultOfTheData(error)) throw error
        log.warn({ err: error, answers: batch.length, retry }, 'answers could not be committed yet')
        await wait(backOff(retry, retryPauses))
      }
    }
  }

  /**
   * Drops an answer that cannot be committed, so that it does not block the others. Its order is asked about when the lease
   * ends.
   */
  function giveUp([settlement]: readonly Settlement[], error: unknown): void {
    const { reference } = settlement?.order ?? {}
    log.error({ err: error, reference }, 'an answer could not be committed; the order will be asked about again')
  }

  const settlements = createBatcher({
    queue,
    work: (batch) => workInHalves(batch, { work: commit, giveUp }),
    pause: createPauseBetweenBatches(gatherMilliseconds, () => queue.count() >= batchMax),
  })
  return {
    size: () => settlements.size(),
    add: (settlement) => settlements.add(settlement),
    drain: async (seconds) => {
      const over = new AbortController()
      await Promise.race([
        settlements.drained(),
        wait(seconds * 1_000, undefined, { signal: over.signal }).catch(() => undefined),
      ])
      over.abort()
    },
  }
}
