import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listResellerNotices } from '../../notices/list-reseller-notices.ts'
import { setUpOrders } from '../intake/set-up-orders.fixture.ts'

const desk = setUpOrders()

const told = () => listResellerNotices(desk.db, { accountId: desk.accountId, limit: 100 })

async function failOrder(hoursOld: number): Promise<{ id: string; reference: string }> {
  const { reference } = await desk.place()
  await sql`
    update orders set created_at = now() - make_interval(hours => ${hoursOld}) where reference = ${reference}`.execute(
    desk.database.ownerDb,
  )
  const work = await desk.begin()
  const settlement = await desk.conclude(work, { meaning: 'failed', evidence: 'said so' })
  await desk.settle(settlement)
  return { id: settlement.order.id, reference }
}

test('the refund of an order older than a day is told to its owner once, with the amount and the reference', async () => {
  const { id, reference } = await failOrder(25)
  expect(await told()).toMatchObject([
    {
      kind: 'order_refunded',
      about: id,
      subject: `GHS 5.00 came back for order ${reference}`,
      body: expect.stringContaining('went back to your main wallet'),
    },
  ])
})

test('the refund of a younger order is told to nobody', async () => {
  await failOrder(23)
  expect(await told()).toEqual([])
})
