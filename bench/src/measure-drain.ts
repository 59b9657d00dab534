import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../server/src/platform/database/database.ts'
import { runAtFullSpeed } from './load/load.ts'
import { mustAllSucceed } from './measure.ts'
import { findSimulator, startRole } from './start-servers.ts'

/** Calls under way at once, for the worker (its suppliers' slots) and for the empty calls. */
const concurrency = 64

async function countOrders(db: Db, status: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from orders where status = ${status}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Lets a worker loose on the backlog that the purchases left, with the simulator delivering at once, and
 * counts the orders it completes a second; then empty calls to the simulator at the same concurrency.
 */
export async function measureDrain(
  db: Db,
  dataDir: string,
  seconds: number,
  say: (text: string) => void,
): Promise<{ ordersPerSecond: number; emptyCallsPerSecond: number; backlogOrders: number }> {
  await sql`update suppliers set slots = ${concurrency}`.execute(db)
  const backlogOrders = await countOrders(db, 'pending')
  const url = await findSimulator(dataDir)
  const empty = mustAllSucceed(
    'empty calls',
    await runAtFullSpeed({
      target: { origin: url },
      connections: concurrency,
      seconds,
      request: () => ({ path: '/health', key: '' }),
    }),
  )
  const worker = await startRole('worker', dataDir)
  // The first seconds are the start; what counts is the steady flow.
  await sleep(2_000)
  const before = await countOrders(db, 'completed')
  const startedAt = performance.now()
  await sleep(seconds * 1_000)
  const completed = (await countOrders(db, 'completed')) - before
  const ordersPerSecond = completed / ((performance.now() - startedAt) / 1_000)
  say(`  ${Math.round(ordersPerSecond)} orders/s of a backlog of ${backlogOrders}; ${Math.round(empty.perSecond)} empty calls/s`)
  await worker.stop()
  return { ordersPerSecond, emptyCallsPerSecond: empty.perSecond, backlogOrders }
}
