import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { pesewas } from '../../money/pesewas.ts'
import { alarmText } from '../../notices/raise-alarm.ts'
import { readReconciledAttempts } from '../../reconciliation/read-reconciled-attempts.ts'
import type { SupplierAnswer } from '../../suppliers/ports.ts'
import { setUpOrders } from '../intake/set-up-orders.fixture.ts'

const desk = setUpOrders()

beforeEach(async () => {
  await sql`update alarms set cleared_at = now() where cleared_at is null`.execute(desk.db)
})

/**
 * Sells an order for GHS 5.00 that costs `listed` pesewas by our price list. `answer` has the charge that the supplier reports.
 * @returns the order's reference
 */
async function sell(listed: number | null, answer: Partial<SupplierAnswer> & { meaning: string }): Promise<string> {
  const order = await desk.place()
  const work = await desk.begin()
  await sql`update attempts set expected_cost = ${listed} where order_id = ${order.orderId}`.execute(desk.database.ownerDb)
  const expectedCostPesewas = listed === null ? null : pesewas(listed)
  const attempt = { ...work.attempt, expectedCostPesewas }
  await desk.settle(await desk.conclude({ ...work, attempt }, { evidence: 'said so', ...answer } as SupplierAnswer))
  return order.reference
}

const charged = (amount: number) => ({ reportedCostPesewas: pesewas(amount) })

function openAlarms() {
  return desk.db
    .selectFrom('alarms')
    .select(['name', 'subject', alarmText.as('message')])
    .where('cleared_at', 'is', null)
    .execute()
}

describe('what a supplier says it charged', () => {
  test('above the price raises an alarm that names package, supplier and loss', async () => {
    const reference = await sell(400, { meaning: 'delivered', ...charged(545) })
    expect(await openAlarms()).toEqual([
      {
        name: 'sold_below_cost',
        subject: 'MTN 1GB stub',
        message: `stub charged GHS 5.45 for MTN 1GB, where our list says GHS 4.00; it was sold for GHS 5.00, a loss of GHS 0.45 (order ${reference}). Correct the prices or the offer with \`makola packages import\`.`,
      },
    ])
  })

  test('above the list, but not above the price, raises another one', async () => {
    desk.leaveOpen('the supplier has accepted the order, and says no more')
    await sell(400, { meaning: 'accepted', ...charged(430) })
    expect(await openAlarms()).toMatchObject([
      { name: 'cost_above_list', subject: 'MTN 1GB stub', message: expect.stringContaining('GHS 0.30 more') },
    ])
  })

  test('as listed, or less, or unlisted within the price, or for an order that it did not take, raises none', async () => {
    await sell(400, { meaning: 'delivered', ...charged(400) })
    await sell(400, { meaning: 'delivered', ...charged(10) })
    await sell(null, { meaning: 'delivered', ...charged(499) })
    await sell(400, { meaning: 'failed', ...charged(900) })
    await sell(400, { meaning: 'delivered' })
    expect(await openAlarms()).toEqual([])
  })

  test('is taken less the commission that it pays for it', async () => {
    await sell(500, { meaning: 'delivered', ...charged(505), reportedCommissionPesewas: pesewas(15) })
    expect(await openAlarms()).toEqual([])
  })
})

test('the cost that is expected is kept with the attempt when it begins, whatever the list says later', async () => {
  const order = await desk.place()
  const work = await desk.begin()
  const { attempt } = work
  const row = await desk.db
    .selectFrom('attempts')
    .select('expected_cost')
    .where('order_id', '=', order.orderId)
    .executeTakeFirst()
  expect([row?.expected_cost, attempt.expectedCostPesewas]).toEqual([500, 500])
  const dearer = {
    kind: 'data',
    expect: () => Promise.resolve(new Map([[order.orderId, { costPesewas: pesewas(900), commissionPesewas: null }]])),
  }
  const expecting = { supplier: 'stub', expectations: [dearer] }
  const [reconciled] = await readReconciledAttempts(
    desk.db,
    expecting,
    sql`select ${order.orderId}::uuid as order_id, 1 as attempt_no`,
  )
  expect(reconciled?.expectedCostPesewas).toBe(500)
  await desk.settle(await desk.conclude(work, { meaning: 'delivered', evidence: 'said so' }))
})
