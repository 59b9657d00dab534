import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { newId } from '../../platform/database/new-id.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { resultsCheckerEnabled, resultsCheckerMaxQuantity } from './results-checker.settings.ts'
import { setUpVouchers } from './set-up-vouchers.fixture.ts'

const { shop, newReference, stocked, buy, recall, typeOf } = setUpVouchers()
const { balance } = shop

describe('POST /resultschecker/purchase', () => {
  it('200: returns the vouchers in the answer, the oldest first, and debits price times quantity; the order is completed', async () => {
    const { typeId, name } = await stocked(3)
    const { key } = await shop.app.makeReseller({ role: 'agent', balancePesewas: 10_000 })
    const reference = newReference()
    const { status, body } = await buy(key, { typeId, quantity: 2, reference })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      order: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        reference,
        status: 'completed',
        type_name: name,
        quantity: 2,
        unit_price: 17.5,
        total_paid: 35,
      },
      vouchers: [1, 2].map((no) => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        pin: `PIN-${name}-${no}`,
        serial_number: `SERIAL-${name}-${no}`,
      })),
      new_balance: 65,
    })
    expect(await balance(key)).toBe(65)
    const open = await sql`select from open_orders where order_id = ${body.data.order.id}`.execute(shop.db)
    expect(open.rows).toHaveLength(0)
  })

  it('200: returns the same vouchers to a repeat, on any process, and charges nothing', async () => {
    const { typeId } = await stocked(3)
    const { key } = await shop.app.makeReseller()
    const body = { typeId, quantity: 2, reference: newReference(), recipientEmail: 'ama@example.com' }
    const first = await buy(key, body)
    const again = await buy(key, body, shop.second)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(again.body.data).toEqual(first.body.data)
    expect((await recall(key, body.reference)).body.data).toEqual({
      order: first.body.data.order,
      vouchers: first.body.data.vouchers,
    })
    expect(await typeOf(key, typeId)).toMatchObject({ available_count: 1 })
  })

  it('200: answers a repeat even when the type is off sale, the service switched off and the stock gone by now', async () => {
    const { typeId } = await stocked(1)
    const { key } = await shop.app.makeReseller()
    const body = { typeId, reference: newReference() }
    const first = await buy(key, body)
    await sql`update voucher_types set is_active = false where id = ${typeId}`.execute(shop.db)
    await writeSetting(shop.db, resultsCheckerEnabled, false, 'test')
    await shop.app.untilSeen()
    const again = await buy(key, body)
    const fresh = await buy(key, { typeId })
    const listed = await shop.app.call('GET', '/resultschecker/orders', { key })
    await writeSetting(shop.db, resultsCheckerEnabled, true, 'test')
    await shop.app.untilSeen()
    expect(again.body.data).toEqual(first.body.data)
    expect(fresh.status).toBe(503)
    expect(listed.status).toBe(200)
  })

  it('200: takes a null address as none, for the same request too', async () => {
    const { typeId } = await stocked(1)
    const { key } = await shop.app.makeReseller()
    const body = { typeId, reference: 'null-address' }
    const first = await buy(key, { ...body, recipientPhone: null, recipientEmail: null })
    expect(first.status).toBe(200)
    const again = await buy(key, body)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
  })

  it.each(['r', '😀'.repeat(100), 'a/b?c=d%20 e', 'é-ɛ+'])(
    '200: takes the reference %s, by which the order is recalled',
    async (reference) => {
      const { typeId } = await stocked(1)
      const { key } = await shop.app.makeReseller()
      const { status, body } = await buy(key, { typeId, reference })
      expect(status).toBe(200)
      expect((await recall(key, reference)).body.data).toEqual({ order: body.data.order, vouchers: body.data.vouchers })
      expect((await recall(key, encodeURIComponent(reference))).status).toBe(reference === 'r' ? 200 : 404)
    },
  )

  it.each([
    ['another quantity', { quantity: 2 }],
    ['another phone', { recipientPhone: '0241234567' }],
    ['another e-mail', { recipientEmail: 'kofi@example.com' }],
  ])('409: moves no money when a reference comes back with %s', async (_, change) => {
    const { typeId } = await stocked(4)
    const { key } = await shop.app.makeReseller()
    const body = { typeId, reference: newReference() }
    await buy(key, body)
    const before = await balance(key)
    expect((await buy(key, { ...body, ...change })).status).toBe(409)
    expect(await balance(key)).toBe(before)
  })

  it('409: refuses a taken reference with another body before it looks at type, stock or funds', async () => {
    const { typeId } = await stocked(1)
    const { key } = await shop.app.makeReseller({ balancePesewas: 1_750 })
    expect((await buy(key, { typeId, reference: 'taken' })).status).toBe(200)
    for (const change of [{ typeId: newId() }, { typeId, quantity: 1_000 }]) {
      expect((await buy(key, { ...change, reference: 'taken' })).headers['x-error-reason']).toBe('reference_taken')
    }
  })

  it('409: shares one name space of references with data bundles, over all accounts', async () => {
    const { typeId } = await stocked(2)
    const { key } = await shop.app.makeReseller()
    const other = await shop.app.makeReseller()
    const reference = newReference()
    const bundle = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference }
    expect((await shop.app.call('POST', '/data/purchase', { key, body: bundle })).status).toBe(200)
    expect((await buy(key, { typeId, reference })).status).toBe(409)
    expect((await buy(other.key, { typeId, reference })).status).toBe(409)
    expect((await shop.app.call('GET', `/orders/${reference}`, { key })).status).toBe(200)
    expect((await recall(key, reference)).status).toBe(404)
  })

  it('400: names the available count when the stock is shorter than the quantity, and leaves the reference free', async () => {
    const { typeId } = await stocked(2)
    const { key } = await shop.app.makeReseller()
    const reference = newReference()
    const { status, body, headers } = await buy(key, { typeId, quantity: 3, reference })
    expect(status).toBe(400)
    expect(headers['x-error-reason']).toBe('voucher_stock_short')
    expect(body.error.message).toContain('2 available')
    expect(await balance(key)).toBe(1_000)
    expect((await buy(key, { typeId, quantity: 1e15, reference })).status).toBe(400)
    expect((await buy(key, { typeId, quantity: 2, reference })).status).toBe(200)
  })

  it('400: takes no voucher and leaves the reference free when the balance is not enough', async () => {
    const { typeId } = await stocked(2)
    const { key } = await shop.app.makeReseller({ balancePesewas: 1_749 })
    const reference = newReference()
    const refused = await buy(key, { typeId, reference })
    expect([refused.status, refused.headers['x-error-reason']]).toEqual([400, 'insufficient_funds'])
    expect(await typeOf(key, typeId)).toMatchObject({ available_count: 2 })
    const rich = await shop.app.makeReseller()
    expect((await buy(rich.key, { typeId, reference })).status).toBe(200)
  })

  it('400: checks the stock before the wallet: who has too little money and wants too many is told of the stock', async () => {
    const { typeId } = await stocked(1)
    const { key } = await shop.app.makeReseller({ balancePesewas: 1 })
    const answer = async (quantity: number) => (await buy(key, { typeId, quantity, reference: 'poor' })).headers['x-error-reason']
    expect([await answer(2), await answer(1)]).toEqual(['voucher_stock_short', 'insufficient_funds'])
  })

  it('200 or 400: has no upper bound of quantity but the stock, until the operator sets one', async () => {
    const { typeId } = await stocked(250)
    const { key } = await shop.app.makeReseller({ balancePesewas: 1_000_000 })
    const { status, body } = await buy(key, { typeId, quantity: 200 })
    expect(status).toBe(200)
    expect(new Set(body.data.vouchers.map((voucher: { pin: string }) => voucher.pin)).size).toBe(200)
    await writeSetting(shop.db, resultsCheckerMaxQuantity, 5, 'test')
    await shop.app.untilSeen()
    const tooMany = await buy(key, { typeId, quantity: 6 })
    const enough = await buy(key, { typeId, quantity: 5 })
    await writeSetting(shop.db, resultsCheckerMaxQuantity, null, 'test')
    await shop.app.untilSeen()
    expect([tooMany.status, tooMany.headers['x-error-reason']]).toEqual([400, 'voucher_quantity_too_large'])
    expect(enough.status).toBe(200)
  })

  it('404: sells no unknown and no inactive type', async () => {
    const { key } = await shop.app.makeReseller()
    const { typeId } = await stocked(1, { isActive: false })
    for (const id of [newId(), typeId]) {
      const { status, headers } = await buy(key, { typeId: id })
      expect([status, headers['x-error-reason']]).toEqual([404, 'voucher_type_not_found'])
    }
  })

  it.each([
    ['no typeId', { typeId: undefined }],
    ['a typeId that is no id', { typeId: 'WASSCE' }],
    ['a typeId in another form', { typeId: 'urn:uuid:0199c5a0-0000-7000-8000-000000000000' }],
    ['no quantity', { quantity: undefined }],
    ['a quantity of 0', { quantity: 0 }],
    ['half a voucher', { quantity: 1.5 }],
    ['a quantity in words', { quantity: '1' }],
    ['no reference', { reference: undefined }],
    ['a blank reference', { reference: ' ' }],
    ['a reference of 101 characters', { reference: 'r'.repeat(101) }],
    ['a phone with a plus', { recipientPhone: '+233241234567' }],
    ['an e-mail that is none', { recipientEmail: 'ama' }],
    ['two e-mails in one', { recipientEmail: 'ama@example.com, kofi@example.com' }],
    ['an e-mail with a line break', { recipientEmail: 'ama@example.com\r\nBcc: x@example.com' }],
  ])('400: refuses %s', async (_, change) => {
    const { key } = await shop.app.makeReseller()
    const { status } = await buy(key, { typeId: newId(), ...change })
    expect(status).toBe(400)
  })

  it.each([{ recipientPhone: '' }, { recipientEmail: '' }])(
    '400: refuses an address that is there and says nothing: %o',
    async (change) => {
      const { key } = await shop.app.makeReseller()
      expect((await buy(key, { typeId: newId(), reference: 'r', ...change })).status).toBe(400)
    },
  )
})
