import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Hints } from '../polling/listen-for-hints.ts'

/** The part of the database's time for work that no caller waits for: audit, seals, sums. */
export type BackgroundShare = {
  /**
   * Does one piece of work after the waiting pieces, and rests before the next one may begin. A piece handles a bounded
   * number of rows, and holds no snapshot of the database when it ends.
   *
   * @param waitedSeconds how long this work has been waiting to be finished
   */
  piece<T>(work: () => Promise<T>, waitedSeconds?: number): Promise<T>
}

/** Never rests between pieces. Commands use it, because a person waits for them, and tests. */
export const wholeShare: BackgroundShare = { piece: (work) => work() }

/** A rest lasts this many times as long as the piece before it. */
export const restTimes = {
  /** While nobody buys. */
  quiet: 0.25,
  /** While sales are as fast as usual, or while their speed is unknown. */
  busy: 4,
  /** The limit, however slow sales become. */
  most: 24,
} as const

/** Work that has waited this long gets half as much rest as before; after twice the time a quarter, and so on. */
export const patienceSeconds = 600

/** When no sales were reported for this long, the worker assumes that nobody buys. */
const quietMilliseconds = 2_000

/** The weight of the newest latency in the mean. */
const newestWeight = 0.2

/** Each report raises the best latency by this factor, so that a slower disk becomes the usual one within some minutes. */
const forgetting = 1.002

export type SalesLatency = {
  /** How long sales take now, divided by their best time; 0 while nobody buys; undefined while it is not known. */
  slowness(): number | undefined
}

/** Follows the latency of sales, which the APIs send with their hints. */
export function followSalesLatency(hints: Hints): SalesLatency {
  let mean: number | undefined
  let best = Number.POSITIVE_INFINITY
  let reportedAt = Number.NEGATIVE_INFINITY
  hints.onHint((batchMilliseconds) => {
    if (batchMilliseconds === undefined) return
    mean = mean === undefined ? batchMilliseconds : mean + (batchMilliseconds - mean) * newestWeight
    best = Math.min(best * forgetting, mean)
    reportedAt = performance.now()
  })
  return {
    slowness() {
      if (!hints.isListening()) return undefined
      if (mean === undefined || performance.now() - reportedAt > quietMilliseconds) return 0
      return mean / Math.max(best, Number.EPSILON)
    },
  }
}

/** The length of a rest, as a multiple of the time that the piece before it took. */
export function restTimesOf(slowness: number | undefined, waitedSeconds: number): number {
  if (slowness === 0) return restTimes.quiet
  const whileBusy = Math.min(restTimes.busy * Math.max(1, slowness ?? 1), restTimes.most)
  // However busy the database is, the work is done in the end: after an hour it rests less than half as long as it
  // works.
  return Math.max(restTimes.quiet, whileBusy / 2 ** Math.floor(waitedSeconds / patienceSeconds))
}

/**
 * Opens a worker's share, in which the pieces of its timers take turns. After each piece it rests in proportion to the time of
 * the piece, and longer when sales have become slower.
 */
export function openBackgroundShare(hints: Hints | undefined): BackgroundShare & { close(): void } {
  const latency = hints && followSalesLatency(hints)
  const inTurn = pLimit(1)
  const closing = new AbortController()
  return {
    piece: (work, waitedSeconds = 0) =>
      inTurn(async () => {
        closing.signal.throwIfAborted()
        const beganAt = performance.now()
        try {
          return await work()
        } finally {
          const rest = (performance.now() - beganAt) * restTimesOf(latency?.slowness(), waitedSeconds)
          await sleep(rest, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
        }
      }),
    close: () => closing.abort(),
  }
}
