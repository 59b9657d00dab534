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

/** Orders that the worker finds waiting; the rest of what the purchases left is put out of its reach. */
const backlogOrders = 10_000

/** A backlog that takes longer than this is not drained but stuck. */
const patienceMilliseconds = 120_000

/**
 * Lets a worker loose on a backlog, with the simulator delivering after its usual second, and counts the
 * orders it brings to their end a second, from its start until the last one; then empty calls to the
 * simulator at the same concurrency.
 */
export async function measureDrain(
  db: Db,
  dataDir: string,
  seconds: number,
  say: (text: string) => void,
): Promise<{ ordersPerSecond: number; emptyCallsPerSecond: number }> {
  await sql`update suppliers set slots = ${concurrency}`.execute(db)
  await sql`
    update open_orders set next_step_at = 'infinity'
    where order_id not in (select order_id from open_orders order by order_id desc limit ${backlogOrders})`.execute(db)
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
  const before = await countOrders(db, 'completed')
  const worker = await startRole('worker', dataDir)
  const startedAt = performance.now()
  let completed = 0
  while (completed < backlogOrders && performance.now() - startedAt < patienceMilliseconds) {
    await sleep(100)
    completed = (await countOrders(db, 'completed')) - before
  }
  const ordersPerSecond = completed / ((performance.now() - startedAt) / 1_000)
  say(`  ${Math.round(ordersPerSecond)} orders/s over ${completed}; ${Math.round(empty.perSecond)} empty calls/s`)
  await worker.stop()
  return { ordersPerSecond, emptyCallsPerSecond: empty.perSecond }
}
