import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../server/src/platform/database/database.ts'
import { runAtFullSpeed } from './load/load.ts'
import { mustAllSucceed } from './measure.ts'
import { findSimulator, type Role, startRole } from './start-servers.ts'

/** Calls under way at once, for the worker (its supplier's slots) and for the empty calls. */
const concurrency = 64

/** The route of all orders of the bench. */
const route = 'datamart/data/MTN'

/** How many orders wait for the worker. All other open orders are put out of its reach. */
const backlogOrders = 30_000

/** The clock stops when this part of the backlog has ended: the last orders only wait for the second that a delivery takes. */
const measuredShare = 0.9

/** A backlog that takes longer than this is stuck. */
const patienceMilliseconds = 120_000

const lookMilliseconds = 100

/** A port that is free now: the simulator must know where to call back before the API listens there. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from open_orders where route = ${route} and next_step_at < 'infinity'`.execute(db)
  return rows[0]?.count ?? 0
}

async function boundBacklog(db: Db): Promise<number> {
  await sql`update suppliers set slots = ${concurrency}`.execute(db)
  await sql`
    update open_orders set next_step_at = 'infinity'
    where order_id not in (select order_id from open_orders where route = ${route} order by order_id desc limit ${backlogOrders})`.execute(
    db,
  )
  await sql`vacuum analyze open_orders`.execute(db)
  return countWaiting(db)
}

/**
 * Waits until the backlog is done.
 * @returns the seconds until the measured share of it had ended
 */
async function watchBacklog(db: Db, backlog: number): Promise<number> {
  const startedAt = performance.now()
  let ended = 0
  let measuredSeconds = 0
  while (ended < backlog) {
    await sleep(lookMilliseconds)
    ended = backlog - (await countWaiting(db))
    const milliseconds = performance.now() - startedAt
    if (milliseconds > patienceMilliseconds) throw new Error(`only ${ended} of ${backlog} orders ended`)
    if (measuredSeconds === 0 && ended >= backlog * measuredShare) measuredSeconds = milliseconds / 1_000
  }
  return measuredSeconds
}

/**
 * Starts a worker on a backlog of orders and counts the orders per second that end, from its start on. The simulator
 * delivers after a second and calls back to an API. Before that, it measures empty calls to the simulator with the same
 * concurrency. No other simulator may run in the folder.
 */
export async function measureDrain(
  db: Db,
  dataDir: string,
  seconds: number,
  say: (text: string) => void,
): Promise<{ ordersPerSecond: number; emptyCallsPerSecond: number }> {
  const backlog = await boundBacklog(db)
  const port = String(await findFreePort())
  const roles: Role[] = []
  try {
    roles.push(await startRole('simulator', dataDir, { SIMULATOR_CALLBACK_BASE_URL: `https://localhost:${port}` }))
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
    roles.push(await startRole('api', dataDir, { PORT: port }))
    roles.push(await startRole('worker', dataDir))
    const ordersPerSecond = (backlog * measuredShare) / (await watchBacklog(db, backlog))
    say(`  ${Math.round(ordersPerSecond)} orders/s of ${backlog}; ${Math.round(empty.perSecond)} empty calls/s`)
    return { ordersPerSecond, emptyCallsPerSecond: empty.perSecond }
  } finally {
    for (const role of roles.toReversed()) await role.stop()
  }
}
