import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { findLongestPause, type SalesPause } from '../keep-selling.ts'
import type { Cluster } from './start-cluster.ts'

export type WriteWatch = {
  /** The longest pause after `from` in which no server took a write. Both moments are milliseconds of `performance.now`. */
  findPauseSince(from: number): SalesPause
  stop(): Promise<void>
}

/** A message in the WAL: it needs no table, and its commit waits for the synchronous machine as an order's does. */
const write = `select pg_logical_emit_message(true, 'probe', '')`

const pauseMilliseconds = 100

/** Writes to each PostgreSQL server ten times a second, to learn when one of them takes writes. Uses none of the server's code. */
export function watchWrites({ machines, connectTo }: Pick<Cluster, 'machines' | 'connectTo'>): WriteWatch {
  const times: number[] = []
  const stopping = new AbortController()
  const watching = Promise.all(
    machines.map(async (machine) => {
      let connection: pg.Client | undefined
      while (!stopping.signal.aborted) {
        try {
          connection ??= await connectTo(machine)
          await connection.query(write)
          times.push(performance.now())
        } catch {
          // A standby refuses, a dead server is not there, a frozen one is given up after a second.
          void connection?.end().catch(() => undefined)
          connection = undefined
        }
        await sleep(pauseMilliseconds)
      }
      await connection?.end().catch(() => undefined)
    }),
  )
  return {
    findPauseSince: (from) => findLongestPause(times, from, performance.now()),
    async stop() {
      stopping.abort()
      await watching
    },
  }
}
