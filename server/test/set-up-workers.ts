import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import { makeAccount, until } from '../src/orders/dispatch/order-bench.fixture.ts'
import type { PlacedOrder } from '../src/orders/intake/place-test-orders.fixture.ts'
import type { Db } from '../src/platform/database/database.ts'
import { inTransaction } from '../src/platform/database/in-transaction.ts'
import { writePackages } from '../src/products/data/catalogue/write-packages.ts'
import { seedSimulatedSuppliers } from '../src/suppliers/registry/seed-simulated-suppliers.ts'
import { mustPassAudit } from './must-pass-audit.ts'
import { patientCallSeconds } from './patience.ts'
import { mustLeaveNoOpenOrders } from './running/must-leave-no-open-orders.ts'
import { type RunningSimulator, startSimulator } from './start-simulator.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** What the tests of one file share; all of it is new for each test. */
export type WorkersSetUp = {
  readonly database: TestDatabase
  readonly db: Db
  readonly simulator: RunningSimulator
  /** An account with more money than any test spends. */
  readonly accountId: string
  /** The key that the workers seal with. */
  readonly secretsKey: string
  /** Starts a worker as a process of its own, and waits until it works. */
  readonly startWorker: (environment?: Record<string, string>) => Promise<ChildProcess>
  /** Ends a worker, by SIGKILL if no other signal is given. */
  readonly endWorker: (worker: ChildProcess, signal?: NodeJS.Signals) => Promise<void>
  /** Ends all leases at once, as if those of killed workers had run out, so that a test need not wait for that. */
  readonly endLeases: () => Promise<void>
  /** Says why this test leaves orders open. Any other test must end all of its orders. */
  readonly leaveOpen: (why: string) => void
  /** Waits until none of the orders is open any more. */
  readonly untilEnded: (orders: readonly PlacedOrder[]) => Promise<void>
}

const commandLine = fileURLToPath(new URL('../bin/makola.js', import.meta.url))
const secretsKey = randomBytes(32).toString('base64')

function spawnWorker(environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [commandLine, 'worker'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      SECRETS_KEY: secretsKey,
      LOG_LEVEL: 'silent',
      // With the usual second an answer could be lost on a busy machine, and some orders could never be settled. That would
      // be right, but it is not what these tests check.
      SIMULATOR_CALL_SECONDS: String(patientCallSeconds),
      ...environment,
    },
  })
}

/** @throws Error when it ends before it works */
async function untilWorking(worker: ChildProcess): Promise<ChildProcess> {
  const failed = once(worker, 'exit').then(() => {
    throw new Error('the worker did not start')
  })
  failed.catch(() => undefined)
  await Promise.race([once(worker, 'message'), failed])
  return worker
}

async function endProcess(worker: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const exited = once(worker, 'exit')
  worker.kill(signal)
  await exited
}

async function untilNoneOpen(db: Db, orders: readonly PlacedOrder[]): Promise<void> {
  const ids = orders.map(({ orderId }) => orderId)
  await until(async () => {
    const open = await db.selectFrom('open_orders').select('order_id').where('order_id', 'in', ids).execute()
    return open.length === 0
  })
}

async function makeShop(db: Db, packages: Parameters<typeof writePackages>[1]): Promise<string> {
  await inTransaction(db, async (tx) => {
    await seedSimulatedSuppliers(tx)
    const { problems } = await writePackages(tx, packages, { isBelowCostAllowed: false })
    if (problems[0]) throw new Error(problems[0].message)
  })
  return makeAccount(db, 10_000_000)
}

/**
 * Registers what a file of tests with real worker processes needs: before each test a database with the simulated
 * suppliers and a price list, the simulator, and an account. After each test its workers are killed, the books
 * are audited, and its orders must have ended.
 */
export function setUpWorkers(packages: Parameters<typeof writePackages>[1]): WorkersSetUp {
  let database: TestDatabase
  let simulator: RunningSimulator
  let accountId: string
  const workers = new Set<ChildProcess>()
  let whyLeftOpen: string | undefined

  beforeEach(async () => {
    whyLeftOpen = undefined
    database = await createTestDatabase()
    simulator = await startSimulator()
    accountId = await makeShop(database.db, packages)
  })
  afterEach(async () => {
    for (const worker of workers) await endProcess(worker, 'SIGKILL')
    workers.clear()
    await simulator.stop()
    try {
      await mustPassAudit(database.db)
      await mustLeaveNoOpenOrders(database.db, { why: whyLeftOpen })
    } finally {
      await database.drop()
    }
  })

  return {
    get database() {
      return database
    },
    get db() {
      return database.db
    },
    get simulator() {
      return simulator
    },
    get accountId() {
      return accountId
    },
    secretsKey,
    endWorker: (worker, signal = 'SIGKILL') => {
      workers.delete(worker)
      return endProcess(worker, signal)
    },
    startWorker: (environment = {}) => {
      const worker = spawnWorker({ DATABASE_URL: database.applicationUrl, DATA_DIR: simulator.dataDir, ...environment })
      workers.add(worker)
      return untilWorking(worker)
    },
    endLeases: async () => {
      await database.db
        .updateTable('open_orders')
        .set({ lease_until: new Date(0) })
        .execute()
    },
    leaveOpen: (why) => {
      whyLeftOpen = why
    },
    untilEnded: (orders) => untilNoneOpen(database.db, orders),
  }
}
