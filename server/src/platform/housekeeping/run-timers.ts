import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../database/database.ts'
import { runAlone } from '../database/run-alone.ts'
import { shutdownSeconds } from '../shutdown-seconds.ts'

/** Work that is done again and again, without anybody asking for it. */
export type Timer = {
  readonly name: string
  readonly everySeconds: number
  /** Whether only one process at a time may do it. False for work that processes can share, or that is cheap. */
  readonly isExclusive: boolean
  run(): Promise<void>
}

export type Timers = {
  /** Starts nothing more, and waits a short time for what is running. All of this work can be broken off at any point. */
  stop(): Promise<void>
}

/** Other tools use small lock numbers; ours are `(this, hash of the timer's name)`. */
const lockClass = 0x6d616b6f
const lockOf = ({ name }: Timer) => sql`${lockClass}::integer, hashtext(${name})`

/** Runs each timer's work at its interval until stopped. A failure is logged, and the work is tried again at its next time. */
export function runTimers(db: Db, log: Logger, timers: readonly Timer[]): Timers {
  const pending = new Map<string, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  let isStopped = false

  function schedule(timer: Timer, seconds: number): void {
    if (isStopped) return
    const start = () => {
      const work = run(timer)
      running.add(work)
      void work.finally(() => running.delete(work))
    }
    pending.set(timer.name, globalThis.setTimeout(start, seconds * 1_000))
  }

  async function run(timer: Timer): Promise<void> {
    try {
      await (timer.isExclusive ? runAlone(db, lockOf(timer), () => timer.run()) : timer.run())
    } catch (error) {
      log.warn({ err: error, timer: timer.name }, 'housekeeping failed; it will be tried again')
    }
    schedule(timer, timer.everySeconds)
  }

  // The random start spreads processes that were started together. The first round comes soon, so that a wrong state is
  // not hidden for long.
  for (const timer of timers) schedule(timer, Math.min(timer.everySeconds, 10) * Math.random())
  return {
    stop: async () => {
      isStopped = true
      for (const timeout of pending.values()) clearTimeout(timeout)
      const over = new AbortController()
      const patience = setTimeout(shutdownSeconds.worker.timers * 1_000, undefined, { signal: over.signal }).catch(
        () => undefined,
      )
      await Promise.race([Promise.allSettled(running), patience])
      over.abort()
    },
  }
}
