import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { movesOf } from '../../../orders/dispatch/order-bench.fixture.ts'
import { eventually, openRegistrationShop, type RegistrationShop } from './registration-shop.fixture.ts'

let shop: RegistrationShop
let key: string

beforeAll(async () => {
  shop = await openRegistrationShop()
  ;({ key } = await shop.app.makeReseller())
})
afterAll(() => shop.close())

const migration = new URL('../../../../migrations/0024_statuses_never_go_back.sql', import.meta.url)

/** An order as releases before left it: sent once, called unregistered by its supplier, and moved back to `queued`. */
async function placeMovedBack(): Promise<{ orderId: string; reference: string }> {
  await shop.steer({ outages: { 1: 'error', 2: 'error' } })
  const body = shop.order(shop.number('911'))
  const orderId = String((await shop.buy(key, body)).body.data.order_id)
  const worker = await shop.startWorker()
  await eventually(async () => await holdOf(orderId), 'not_registered')
  await worker.stop()
  await sql`update orders set status = 'queued' where id = ${orderId}`.execute(shop.app.database.ownerDb)
  await sql`
    insert into order_events (order_id, from_status, to_status, actor)
    values (${orderId}, 'processing', 'queued', 'worker')`.execute(shop.app.database.ownerDb)
  await shop.steerBack()
  return { orderId, reference: body.reference }
}

const holdOf = async (orderId: string) =>
  (await shop.app.database.db.selectFrom('open_orders').selectAll().where('order_id', '=', orderId).executeTakeFirst())
    ?.hold_reason

async function delivered({ reference }: { reference: string }): Promise<void> {
  const worker = await shop.startWorker()
  await eventually(() => shop.statusOf(key, reference), 'completed')
  await worker.stop()
}

describe('an order that an earlier release moved back to queued', () => {
  it('is processing after the migration, still waits for its number, and is delivered after it', async () => {
    const order = await placeMovedBack()
    const unsent = shop.order(shop.number('917'))
    await shop.buy(key, unsent)
    await sql.raw(await readFile(migration, 'utf8')).execute(shop.app.database.ownerDb)
    expect(await shop.statusOf(key, order.reference)).toBe('processing')
    expect(await holdOf(order.orderId)).toBe('not_registered')
    // An order that was never sent keeps its first status.
    expect(await shop.statusOf(key, unsent.reference)).toBe('queued')
    await delivered(order)
    expect((await movesOf(shop.app.database.db, order.orderId)).slice(-2)).toEqual(['queued>processing', 'processing>completed'])
  })

  it('goes forward from queued when an older worker moved it after the migration', async () => {
    const order = await placeMovedBack()
    await delivered(order)
    expect((await movesOf(shop.app.database.db, order.orderId)).slice(-3)).toEqual([
      'queued>pending',
      'pending>processing',
      'processing>completed',
    ])
  })
})
