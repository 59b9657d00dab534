import { setTimeout } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import type { Db } from '../database/database.ts'
import { lockNamed, openSharedLock, runAlone } from '../database/run-alone.ts'
import { alignToSharedTick, lastSharedSecond } from '../polling/poll-pace.ts'
import { type AskDue, sharePolls } from '../polling/share-polls.ts'
import { shutdownSeconds } from '../shutdown-seconds.ts'

/** Work that a process repeats by itself, without a request. */
export type Timer = {
  readonly name: string
  readonly everySeconds: number
  /** True: only one process at a time may do it. False: processes can share it, or it is cheap. */
  readonly isExclusive: boolean
  /** True: it may take minutes. Such timers take turns among themselves, so that they keep no short one waiting. */
  readonly isLong?: boolean
  /**
   * True: it reads many rows, and may wait. One worker at a time does all such work, whose pieces take turns in the
   * worker's `BackgroundShare`.
   */
  readonly isBackground?: boolean
  /**
   * An SQL condition, served by an index or a small table: true when there is work, or may be. The timer runs when it is true,
   * and every `anywaySeconds`. The conditions of all timers are read in one statement, once a second.
   */
  readonly isDue?: RawBuilder<unknown>
  run(): Promise<void>
}

const lookSeconds = 1

/** A timer with `isDue` still runs this often, in case its condition misses something. */
const anywaySeconds = 300

/**
 * A process runs at most this many exclusive timers at the same time. Each holds a connection for its lock and needs another
 * one for its work. If all due timers took their locks at once, no connection of the pool would be left for the work.
 */
const shortAtOnce = 3
const longAtOnce = 2

/** A worker checks this often whether the worker that does the background work has ended. */
const backgroundLookMilliseconds = 1_000

export type Timers = {
  /** Starts nothing more, and waits a short time for running work. All of it can be broken off at any point. */
  stop(): Promise<void>
}

/** Other tools use small lock numbers; ours are `(this, hash of the timer's name)`. */
const lockClass = 0x6d616b6f
const lockOf = ({ name }: Timer) => sql`${lockClass}::integer, hashtext(${name})`

/** Waits until this work is over, but no longer than a stopping worker waits for its timers. */
async function waitShortly(running: Iterable<Promise<void>>): Promise<void> {
  const over = new AbortController()
  const patience = setTimeout(shutdownSeconds.worker.timers * 1_000, undefined, { signal: over.signal }).catch(() => undefined)
  await Promise.race([Promise.allSettled(running), patience])
  over.abort()
}

/** Does a timer's work as the timer demands: alone among all workers, in its turn, or as background work. */
function createTurns(db: Db, isStopped: () => boolean): (timer: Timer) => Promise<void> {
  const inTurn = { short: pLimit(shortAtOnce), long: pLimit(longAtOnce) }
  const inBackground = openSharedLock(db, lockNamed('makola background work'))

  async function runInBackground(timer: Timer): Promise<void> {
    if (isStopped() || (await inBackground(() => timer.run()))) return
    await setTimeout(alignToSharedTick(backgroundLookMilliseconds), undefined, { ref: false })
    await runInBackground(timer)
  }

  return async (timer) => {
    if (timer.isBackground) return runInBackground(timer)
    if (!timer.isExclusive) return timer.run()
    return inTurn[timer.isLong ? 'long' : 'short'](async () => {
      if (!isStopped()) await runAlone(db, lockOf(timer), () => timer.run())
    })
  }
}

/**
 * Runs each timer's work at its interval until stopped. A failure is logged, and the work is tried again at its next time.
 *
 * @param askDue reads conditions together with those of other loops
 */
export function runTimers(db: Db, log: Logger, timers: readonly Timer[], askDue: AskDue = sharePolls(db, log)): Timers {
  const pending = new Map<string, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  let isStopped = false
  const runTimer = createTurns(db, () => isStopped)

  function schedule(timer: Timer, seconds: number): void {
    if (isStopped) return
    pending.set(
      timer.name,
      globalThis.setTimeout(() => track(run(timer)), alignToSharedTick(seconds * 1_000)),
    )
  }

  function track(work: Promise<void>): void {
    running.add(work)
    void work.finally(() => running.delete(work))
  }

  /** Runs the timers that have work, each no more often than its interval and once at a time. */
  function watchDue(watched: readonly Timer[]): void {
    const mayStartAt = new Map(watched.map((timer) => [timer, 0]))
    const mustStartAt = new Map(watched.map((timer) => [timer, performance.now() + anywaySeconds * 1_000 * Math.random()]))

    async function runDue(timer: Timer, lookedAt: number): Promise<void> {
      mayStartAt.set(timer, Infinity)
      mustStartAt.set(timer, lookedAt + anywaySeconds * 1_000)
      await attempt(timer)
      mayStartAt.set(timer, lookedAt + timer.everySeconds * 1_000)
    }

    async function look(): Promise<void> {
      // A round that comes late counts as on time. Otherwise a timer of one second would miss the next round.
      const lookedAt = lastSharedSecond()
      const ready = new Set(watched.filter((timer) => (mayStartAt.get(timer) ?? 0) <= lookedAt))
      // The conditions of timers that are not ready are read too, so that the text of the SQL statement stays the same.
      const due = ready.size === 0 ? [] : await Promise.all(watched.map(({ isDue = sql`true` }) => askDue(isDue)))
      for (const [index, timer] of watched.entries()) {
        const isOverdue = performance.now() >= (mustStartAt.get(timer) ?? 0)
        if (ready.has(timer) && (due[index] || isOverdue) && !isStopped) track(runDue(timer, lookedAt))
      }
    }

    schedule({ name: 'what is due', everySeconds: lookSeconds, isExclusive: false, run: look }, Math.random() * lookSeconds)
  }

  async function run(timer: Timer): Promise<void> {
    await attempt(timer)
    schedule(timer, timer.everySeconds)
  }

  async function attempt(timer: Timer): Promise<void> {
    try {
      await runTimer(timer)
    } catch (error) {
      if (isStopped) return
      log.warn({ err: error, timer: timer.name }, 'housekeeping failed; it will be tried again')
    }
  }

  // The random start spreads processes that were started together. The first round comes soon, so that a wrong state is
  // not hidden for long.
  for (const timer of timers) if (!timer.isDue) schedule(timer, Math.min(timer.everySeconds, 10) * Math.random())
  const watched = timers.filter(({ isDue }) => isDue)
  if (watched.length > 0) watchDue(watched)
  return {
    stop: async () => {
      isStopped = true
      for (const timeout of pending.values()) clearTimeout(timeout)
      await waitShortly(running)
    },
  }
}
