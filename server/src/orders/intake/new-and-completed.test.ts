import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAccount } from '../../../test/make-account.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { runAudit } from '../../money/audit.ts'
import { pesewas } from '../../money/pesewas.ts'
import { newId } from '../../platform/database/new-id.ts'
import { refusals } from '../../platform/http/refusals.ts'
import { products } from '../../products/products.ts'
import type { KindDecision, OrderItem, OrderKind } from '../order-kind.ts'
import { orderAuditChecks } from '../orders.audit.ts'
import { closeIntake, openIntake } from './open-intake.ts'
import { type Intake, placeOrders } from './place-orders.ts'

const reads: string[] = []

function kindOf(name: string, outcome: { status: 'completed' } | { status: 'pending'; route: string }): OrderKind {
  const decision: KindDecision = { price: pesewas(100), recipient: '', details: {}, ...outcome }
  return {
    name,
    unit: 'pesewas',
    insufficientFunds: refusals.insufficientFunds,
    read: async () => void reads.push(name),
    decide: () => decision,
    fork: (read) => read,
    take: () => undefined,
    write: () => Promise.resolve(),
  }
}

let database: TestDatabase
let intake: Intake
beforeAll(async () => {
  database = await createTestDatabase()
  intake = openIntake({
    database: { url: database.applicationUrl },
    kinds: [
      kindOf('results_checker', { status: 'completed' }),
      kindOf('afa', { status: 'pending', route: 'operator/afa' }),
      kindOf('data', { status: 'pending', route: 'nobody/data/MTN' }),
    ],
    log: pino({ level: 'silent' }),
  })
})
afterAll(async () => {
  await closeIntake(intake)
  await database.drop()
})

const itemOf = (accountId: string, kind: string): OrderItem => {
  const orderId = newId()
  return { orderId, accountId, kind, reference: orderId, fingerprint: '00', request: {} }
}

it('an order that its purchase delivers is completed when it is new, paid, and has no place in the schedule', async () => {
  const { accountId } = await makeAccount(database.db, { balancePesewas: 1_000 })
  const items = ['results_checker', 'afa', 'data'].map((kind) => itemOf(accountId, kind))
  const outcome = await placeOrders(intake, accountId, items)
  expect(outcome).toMatchObject({ charged: 300, balance: 700 })
  const { rows } = await sql`
    select kind, status, route, next_step_at = 'infinity' as waits_for_a_person
    from orders left join open_orders on open_orders.order_id = orders.id order by kind`.execute(database.db)
  expect(rows).toEqual([
    { kind: 'afa', status: 'pending', route: 'operator/afa', waits_for_a_person: true },
    { kind: 'data', status: 'pending', route: 'nobody/data/MTN', waits_for_a_person: false },
    { kind: 'results_checker', status: 'completed', route: null, waits_for_a_person: null },
  ])
  expect((await runAudit(database.db, orderAuditChecks(products), { isFull: true })).ok).toBe(true)
})

it('the audit still finds a data order that is completed without proof', async () => {
  const { accountId } = await makeAccount(database.db, { balancePesewas: 1_000 })
  const item = itemOf(accountId, 'data')
  await placeOrders(intake, accountId, [item])
  await sql`delete from open_orders where order_id = ${item.orderId}`.execute(database.db)
  await sql`update orders set status = 'completed' where id = ${item.orderId}`.execute(database.db)
  const { checks } = await runAudit(database.db, orderAuditChecks(products), { isFull: true })
  expect(checks['completed_without_proof_of_delivery']).toBe(1)
})

it('a batch reads, and so locks, its products in one order, whatever the order of its items', async () => {
  const { accountId } = await makeAccount(database.db, { balancePesewas: 1_000 })
  for (const kinds of [
    ['results_checker', 'data'],
    ['data', 'results_checker'],
  ]) {
    reads.length = 0
    await placeOrders(
      intake,
      accountId,
      kinds.map((kind) => itemOf(accountId, kind)),
    )
    expect(reads).toEqual(['data', 'results_checker'])
  }
})
