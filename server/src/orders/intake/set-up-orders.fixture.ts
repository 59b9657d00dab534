import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { listOpenOrders, mustLeaveNoOpenOrders } from '../../../test/running/must-leave-no-open-orders.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import type { Db } from '../../platform/database/database.ts'
import type { SupplierAnswer } from '../../suppliers/ports.ts'
import type { PlatformRejection } from '../../suppliers/routes/report-platform-rejection.ts'
import { concludeWork } from '../dispatch/conclude-work.ts'
import { addRoutes, type Bench, makeAccount, openBench } from '../dispatch/order-bench.fixture.ts'
import type { Work } from '../dispatch/perform-work.ts'
import { planWork } from '../dispatch/plan-work.ts'
import { openStubAdapter, type Stub, type StubReply, type StubRequest, startStub } from '../dispatch/stub-supplier.fixture.ts'
import type { SettledBatch, Settlement } from '../settlement/settle-attempts.ts'
import { settleOrders } from '../settlement/settle-orders.ts'
import { type PlacedOrder, placeTestOrders, type TestOrderOptions } from './place-test-orders.fixture.ts'

/** The price of a test order, and the balance of a new account, unless a test sets others. */
export const usualPricePesewas = 500
export const usualFundsPesewas = 1_000_000

/** Nothing listens at this address: tests of settling make no call. */
const adapter = openStubAdapter('http://127.0.0.1:9')

/** Shared by the tests of one file; an account and a bench are new for each test. */
export type OrdersSetUp = {
  readonly database: TestDatabase
  readonly db: Db
  readonly bench: Bench
  readonly accountId: string
  /** The suppliers' refusals of our platform that the loops of this test reported. */
  readonly rejections: readonly PlatformRejection[]
  /** Starts a supplier on a real socket, for this test. */
  readonly startStub: (answer: (request: StubRequest, deliver: () => void) => StubReply) => Promise<Stub>
  readonly place: (options?: TestOrderOptions) => Promise<PlacedOrder>
  readonly placeMany: (count: number, options?: TestOrderOptions) => Promise<PlacedOrder[]>
  /** Claims at most this many orders and commits their attempts, as a worker does. */
  readonly plan: (count: number) => ReturnType<typeof planWork>
  /** Claims an order and commits its attempt: its worker may now call the supplier. */
  readonly begin: () => Promise<Work>
  /** Decides what the supplier's answer means for the order, and commits nothing. */
  readonly conclude: (work: Work, answer: SupplierAnswer) => Promise<Settlement>
  readonly settle: (...settlements: readonly Settlement[]) => Promise<SettledBatch>
  /** Gives the reason why this test leaves orders open. Any other test must end all of its orders. */
  readonly leaveOpen: (why: string) => void
  /** Ends all leases at once, as if their worker had died long ago. */
  readonly endLeases: () => Promise<void>
}

/** The steps of a worker, as functions that a test calls one by one. */
function workOf(
  now: () => { db: Db; bench: Bench; accountId: string },
): Pick<OrdersSetUp, 'placeMany' | 'place' | 'plan' | 'begin' | 'conclude' | 'settle' | 'endLeases'> {
  const placeMany: OrdersSetUp['placeMany'] = (count, options) => {
    const { db, accountId } = now()
    const recipients = Array.from({ length: count }, () => '0240000000')
    return placeTestOrders(db, accountId, recipients, { pricePesewas: usualPricePesewas, ...options })
  }
  const plan = (count: number) => planWork(now().bench.depsFor([adapter]), now().db, 'stub/data/MTN', count)
  return {
    placeMany,
    place: async (options) => (await placeMany(1, options))[0] as PlacedOrder,
    plan,
    begin: async () => (await plan(1)).work[0] as Work,
    conclude: (work, answer) => concludeWork(now().bench.depsFor([adapter]), work, answer),
    settle: (...settlements) => settleOrders(now().db, settlements),
    endLeases: async () => {
      await sql`update open_orders set lease_until = '-infinity' where lease_until <> '-infinity'`.execute(now().db)
    },
  }
}

/**
 * Registers the set-up for a file of tests about orders: a database with the suppliers' routes, and before each test an
 * account with money and a bench. After each test its loops stop, the facts are audited, and an order left open fails the
 * test unless `leaveOpen` was called; such orders are put out of reach of the next test.
 */
export function setUpOrders(suppliers: readonly string[] = ['stub']): OrdersSetUp {
  let database: TestDatabase
  let bench: Bench
  let accountId: string
  const rejections: PlatformRejection[] = []
  const stubs: Stub[] = []
  const leftBefore = new Set<string>()
  let whyLeftOpen: string | undefined

  beforeAll(async () => {
    database = await createTestDatabase()
    await addRoutes(database.db, suppliers)
  })
  beforeEach(async () => {
    await sql`update routes set state = 'open', paused_reason = null, paused_until = null, paused_at = null`.execute(database.db)
    accountId = await makeAccount(database.db, usualFundsPesewas)
    rejections.length = 0
    whyLeftOpen = undefined
    bench = await openBench(database.db, (rejection) => rejections.push(rejection))
  })
  afterEach(async () => {
    await bench.close()
    await Promise.all(stubs.splice(0).map((stub) => stub.close()))
    try {
      await mustPassAudit(database.db)
      await mustLeaveNoOpenOrders(database.db, { why: whyLeftOpen, before: leftBefore })
    } finally {
      for (const { order_id } of await listOpenOrders(database.db)) leftBefore.add(order_id)
      await sql`update open_orders set next_step_at = 'infinity'`.execute(database.db)
    }
  })
  afterAll(() => database.drop())

  return {
    get database() {
      return database
    },
    get db() {
      return database.db
    },
    get bench() {
      return bench
    },
    get accountId() {
      return accountId
    },
    rejections,
    startStub: async (answer) => {
      const stub = await startStub(answer)
      stubs.push(stub)
      return stub
    },
    ...workOf(() => ({ db: database.db, bench, accountId })),
    leaveOpen: (why) => {
      whyLeftOpen = why
    },
  }
}
