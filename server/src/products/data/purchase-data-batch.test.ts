import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import { setUpData } from './set-up-data.fixture.ts'

const { shop, bundle, buy, buyBatch, countOrders, changeCatalogue } = setUpData()
const { balance } = shop

describe('POST /data/bulk', () => {
  it('200: places every order, charges their sum and answers them in order', async () => {
    const { key } = await shop.app.makeReseller({ balancePesewas: 10_000 })
    const orders = [bundle(), bundle({ network: 'Telecel', recipient: '0501234567' }), bundle({ volume_gb: 2 })]
    const { status, body } = await buyBatch(key, orders)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ orders_placed: 3, total_cost: 20.7, new_balance: 79.3, skipped: [] })
    expect(body.data.orders.map((order: { reference: string }) => order.reference)).toEqual(
      orders.map((order) => order.reference),
    )
    for (const order of body.data.orders) expect(order).toMatchObject({ order_id: expect.any(String), status: 'pending' })
    expect(await balance(key)).toBe(79.3)
  })

  it('400 or 404: rejects the whole batch and charges nothing when one order is invalid, not found or out of stock', async () => {
    const { key, accountId } = await shop.app.makeReseller()
    await changeCatalogue(sql`update packages set stock = 1 where network = 'MTN' and volume_gb = 3`)
    const cases: [object[], number][] = [
      [[bundle(), bundle({ network: 'Vodafone' })], 400],
      [[bundle(), bundle({ recipient: '0201234567' })], 400],
      [[bundle(), bundle({ volume_gb: 9 })], 404],
      [[bundle(), bundle({ volume_gb: 3 }), bundle({ volume_gb: 3 })], 404],
    ]
    for (const [orders, status] of cases) expect((await buyBatch(key, orders)).status).toBe(status)
    expect(await countOrders(accountId)).toBe(0)
    expect(await balance(key)).toBe(1_000)
    expect((await buyBatch(key, [bundle({ volume_gb: 3 })])).status).toBe(200)
    await changeCatalogue(sql`update packages set stock = null where network = 'MTN' and volume_gb = 3`)
  })

  it('200 or 400: takes up to 100 orders; not none, not 101, and nothing but an array', async () => {
    const { key } = await shop.app.makeReseller()
    const many = Array.from({ length: 101 }, () => bundle())
    expect((await buyBatch(key, many)).status).toBe(400)
    expect((await buyBatch(key, [])).status).toBe(400)
    expect((await buyBatch(key, bundle())).status).toBe(400)
    expect((await buyBatch(key, many.slice(1))).body.data.orders_placed).toBe(100)
  })

  it('400: refuses a reference that stands twice in one batch', async () => {
    const { key } = await shop.app.makeReseller()
    const body = bundle()
    const answer = await buyBatch(key, [body, body])
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain('orders[1]')
    expect((await buy(key, body)).status).toBe(200)
  })

  it('200: answers an entry that was placed before, singly or in a batch, with its order and does not charge it again', async () => {
    const { key } = await shop.app.makeReseller()
    const [first, fresh] = [bundle(), bundle()]
    const single = await buy(key, first)
    const batch = await buyBatch(key, [first, fresh])
    expect(batch.body.data).toMatchObject({ orders_placed: 2, total_cost: 5.2 })
    expect(batch.body.data.orders[0]).toMatchObject({ order_id: single.body.data.order_id, already_processed: true })
    expect(batch.body.data.orders[1]).not.toHaveProperty('already_processed')
    expect(batch.headers['idempotent-replayed']).toBeUndefined()
    const replay = await buyBatch(key, [first, fresh])
    expect(replay.body.data).toMatchObject({ orders_placed: 2, total_cost: 0 })
    expect(replay.headers['idempotent-replayed']).toBe('true')
    expect((await buy(key, fresh)).body.data.order_id).toBe(batch.body.data.orders[1].order_id)
  })

  it('409: refuses the whole batch when one reference was used for something else', async () => {
    const { key } = await shop.app.makeReseller()
    const body = bundle()
    await buy(key, body)
    const before = await balance(key)
    expect((await buyBatch(key, [bundle(), { ...body, volume_gb: 2 }])).status).toBe(409)
    expect(await balance(key)).toBe(before)
  })

  it('400: charges all or nothing when the balance covers only a part', async () => {
    const { key, accountId } = await shop.app.makeReseller({ balancePesewas: 520 * 2 })
    expect((await buyBatch(key, [bundle(), bundle(), bundle()])).status).toBe(400)
    expect(await countOrders(accountId)).toBe(0)
  })

  it('200: ends in one set of orders when equal batches race on two processes', async () => {
    const { key, accountId } = await shop.app.makeReseller({ balancePesewas: 1_000_000 })
    const orders = Array.from({ length: 20 }, () => bundle())
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        retryWhileOverloaded(() => buyBatch(key, orders, index % 2 ? shop.app : shop.second)),
      ),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(answers.reduce((sum, answer) => sum + answer.body.data.total_cost, 0)).toBeCloseTo(20 * 5.2)
    expect(await countOrders(accountId)).toBe(20)
  })
})
