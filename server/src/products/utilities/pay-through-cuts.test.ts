import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../../test/make-account.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { allAuditChecks } from '../../all-audit-checks.ts'
import { runAudit } from '../../money/audit.ts'
import { readCommissionPlan } from '../../money/commission-plan.ts'
import { pesewas } from '../../money/pesewas.ts'
import { readWallet } from '../../money/wallets.ts'
import { placeExactly } from '../../orders/intake/exact/place-exactly.ts'
import { closeIntake, openIntake } from '../../orders/intake/open-intake.ts'
import { type CallOutcome, type Intake, placeOrders } from '../../orders/intake/place-orders.ts'
import type { OrderItem, OrderKind } from '../../orders/order-kind.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { makeBillReference } from './pay-bill.ts'
import { type BillPayment, utilitiesKind } from './utilities.kind.ts'

const kinds = new Map([['utilities', utilitiesKind as unknown as OrderKind]])

let database: TestDatabase
/** Two intakes act as two API processes: they share only the database. */
let intakes: [Intake, Intake]

function open(): Intake {
  return openIntake({ database: { url: database.applicationUrl }, kinds: [...kinds.values()], log: pino({ level: 'silent' }) })
}

beforeAll(async () => {
  database = await createTestDatabase()
  intakes = [open(), open()]
})
afterEach(async () => {
  const { checks } = await runAudit(database.db, allAuditChecks, { isFull: true })
  const bad = Object.entries(checks).filter(([, count]) => count !== 0)
  if (bad.length > 0) throw new Error(`the audit found ${JSON.stringify(bad)}`)
})
afterAll(async () => {
  await Promise.all(intakes.map(closeIntake))
  await database.drop()
})

async function wish(accountId: string, account: string, reference?: string): Promise<OrderItem<BillPayment>> {
  return {
    orderId: newId(),
    accountId,
    kind: 'utilities',
    reference: makeBillReference('dstv'),
    repeatKey: reference === undefined ? { scope: 'none' } : { scope: 'account', service: 'utilities', reference },
    fingerprint: '00',
    request: {
      biller: 'dstv',
      account,
      phone: undefined,
      amountPesewas: pesewas(100),
      plan: await readCommissionPlan(database.db),
      refusalIfNew: undefined,
      route: 'hubtel/utilities/dstv',
    },
  }
}

const balanceOf = async (accountId: string) => (await readWallet(database.db, { accountId, purse: 'main' })).balance
const resultOf = (outcome: CallOutcome) => ('refusal' in outcome ? outcome.refusal.reason : 'placed')

describe('a payment whose commit got no answer', () => {
  it.each([undefined, 'my-key'])(
    'is found again by its own id, before the duplicate window is asked (reference: %s)',
    async (reference) => {
      const { accountId } = await makeAccount(database.db, { balancePesewas: 150 })
      const call = { accountId, items: [await wish(accountId, `lost-${reference}`, reference)] }
      const place = () => inTransaction(database.db, (tx) => placeExactly(tx, [call], kinds))
      const [first] = (await place()).outcomes
      const [again] = (await place()).outcomes
      expect(again).toMatchObject({
        charged: 100,
        balance: 50,
        placements: [{ isReplay: false, order: { id: call.items[0]?.orderId } }],
      })
      expect(first).toMatchObject({ placements: [{ isReplay: false }] })
      expect(await balanceOf(accountId)).toBe(50)
    },
  )
})

describe('payments while connections are cut', () => {
  it('are each placed once and never refused as duplicates of themselves', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 1_000_000 })
    const cuts = { isOn: true }
    const cutting = (async () => {
      while (cuts.isOn) {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'makola intake%' and datname = current_database()`.execute(database.ownerDb)
        await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 90))
      }
    })()
    const outcomes: CallOutcome[] = []
    for (let round = 0; round < 6; round += 1) {
      const items = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          wish(accountId, `cut-${round}-${index}`, index % 2 ? `key-${round}-${index}` : undefined),
        ),
      )
      outcomes.push(
        ...(await Promise.all(items.map((item, index) => placeOrders(intakes[index % 2] as Intake, accountId, [item])))),
      )
    }
    cuts.isOn = false
    await cutting
    // On a slow machine some calls cannot finish within ten seconds and are answered 503.
    const results = new Set(outcomes.map(resultOf))
    expect([...results].filter((result) => !['placed', 'overloaded', 'outcome_unknown'].includes(result))).toEqual([])
    expect(outcomes.filter((outcome) => 'placements' in outcome && outcome.placements[0]?.isReplay)).toEqual([])
    const placed = outcomes.filter((outcome) => 'placements' in outcome).length
    const unknown = outcomes.filter((outcome) => resultOf(outcome) === 'outcome_unknown').length
    const orders = await database.db.selectFrom('orders').select('id').where('account_id', '=', accountId).execute()
    expect(placed).toBeGreaterThan(0)
    expect(orders.length).toBeGreaterThanOrEqual(placed)
    expect(orders.length).toBeLessThanOrEqual(placed + unknown)
    expect(await balanceOf(accountId)).toBe(1_000_000 - orders.length * 100)
  })
})

describe('payments in one batch', () => {
  it('see the earlier ones of the batch in the duplicate window, but not those that were refused', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 150 })
    const other = await makeAccount(database.db, { balancePesewas: 0 })
    const calls = [
      { accountId, items: [await wish(accountId, 'one')] },
      { accountId, items: [await wish(accountId, 'one', 'key')] },
      { accountId, items: [await wish(accountId, 'two')] },
      { accountId: other.accountId, items: [await wish(other.accountId, 'one')] },
      { accountId: other.accountId, items: [await wish(other.accountId, 'one')] },
    ]
    const { outcomes } = await inTransaction(database.db, (tx) => placeExactly(tx, calls, kinds))
    expect(outcomes.map((outcome) => (outcome === 'wallet_busy' ? outcome : resultOf(outcome)))).toEqual([
      'placed',
      'duplicate_payment',
      'insufficient_funds',
      'insufficient_funds',
      'insufficient_funds',
    ])
  })

  it('are duplicates by the moment the batch was opened, however long it took to read what was paid', async () => {
    const { accountId } = await makeAccount(database.db, { balancePesewas: 100 })
    const first = { accountId, items: [await wish(accountId, 'one')] }
    await inTransaction(database.db, (tx) => placeExactly(tx, [first], kinds))
    const { rows } = await sql<{ created_at: Date }>`
      update orders set created_at = clock_timestamp() - interval '33 seconds'
      where account_id = ${accountId} returning created_at`.execute(database.ownerDb)
    const paidAt = rows[0]?.created_at.getTime() ?? Number.NaN
    const again = await wish(accountId, 'one')
    const read = await inTransaction(database.db, (tx) => utilitiesKind.read(tx, [again], again.request.plan.version))
    const account = { isSuspended: false, isPermanent: true, pricingRole: 'agent' as const }
    const verdictAfter = (milliseconds: number) => {
      const view = { now: new Date(paidAt + milliseconds), account, catalogueVersion: again.request.plan.version }
      return utilitiesKind.decide(again, view, read)
    }
    expect(verdictAfter(29_999)).toMatchObject({ refusal: { reason: 'duplicate_payment' } })
    expect(verdictAfter(30_000)).toMatchObject({ status: 'pending' })
  })
})
