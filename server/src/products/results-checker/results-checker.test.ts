import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, startTestApp, type TestApi, type TestApp } from '../../../test/start-test-app.ts'
import { allAuditChecks } from '../../all-audit-checks.ts'
import { runAudit } from '../../money/audit.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { rateLimitsSetting } from '../../platform/http/http.settings.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { claimVouchers } from './claim-vouchers.ts'
import { resultsCheckerEnabled, resultsCheckerMaxQuantity } from './results-checker.settings.ts'
import { keysOf, stockVouchers } from './stock-vouchers.fixture.ts'

let app: TestApp
let second: TestApi
let keys: SecretsKeys
let references = 0

const audit = async () => (await runAudit(app.database.db, allAuditChecks, { isFull: true })).checks
const clean = (checks: Readonly<Record<string, number>>) => Object.fromEntries(Object.keys(checks).map((name) => [name, 0]))
const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1_000))

beforeAll(async () => {
  app = await startTestApp()
  second = await app.startAnother()
  keys = await keysOf(app)
  await writeSetting(
    app.database.db,
    rateLimitsSetting,
    { 'POST /resultschecker/purchase': 10_000, 'GET /resultschecker/orders/{reference}': 10_000 },
    'test',
  )
  await aSecond()
})
afterAll(() => app.close())

const newReference = () => `vouchers-${++references}`
const buy = (key: string, body: object, api: TestApi = app): Promise<Answer> =>
  api.call('POST', '/resultschecker/purchase', { key, body: { quantity: 1, reference: newReference(), ...body } })
const recall = (key: string, reference: string) =>
  app.call('GET', `/resultschecker/orders/${encodeURIComponent(reference)}`, { key })
const balance = async (key: string): Promise<number> => (await app.call('GET', '/wallet/balance', { key })).body.data.balance
const typeOf = async (key: string, typeId: string) =>
  (await app.call('GET', '/resultschecker/types', { key })).body.data.types.find(
    (type: { type_id: string }) => type.type_id === typeId,
  )

describe('GET /resultschecker/types', () => {
  it('lists every type with the price of the caller’s role and the stock of this moment', async () => {
    const { typeId, name } = await stockVouchers(app.database.db, keys, 3)
    const hidden = await stockVouchers(app.database.db, keys, 2, { isActive: false })
    for (const [role, price] of [
      ['customer', 20],
      ['agent', 17.5],
      ['dealer', 16.5],
    ] as const) {
      const { key } = await app.makeReseller({ role })
      expect(await typeOf(key, typeId)).toEqual({ type_id: typeId, name, price, available_count: 3, is_active: true })
      expect(await typeOf(key, hidden.typeId)).toMatchObject({ is_active: false })
    }
    const { key } = await app.makeReseller()
    await buy(key, { typeId, quantity: 2 })
    expect(await typeOf(key, typeId)).toMatchObject({ available_count: 1 })
  })

  it('prices an expired agent as a customer', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 1)
    const { key } = await app.makeReseller({ role: 'agent', roleExpiresAt: new Date(Date.now() + 800) })
    await aSecond()
    expect(await typeOf(key, typeId)).toMatchObject({ price: 20 })
    expect((await buy(key, { typeId })).body.data.order.unit_price).toBe(20)
  })
})

describe('POST /resultschecker/purchase', () => {
  it('returns the vouchers in the answer, the oldest first, and debits price times quantity; the order is completed', async () => {
    const { typeId, name } = await stockVouchers(app.database.db, keys, 3)
    const { key } = await app.makeReseller({ role: 'agent', balancePesewas: 10_000 })
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
    const open = await sql`select from open_orders where order_id = ${body.data.order.id}`.execute(app.database.db)
    expect(open.rows).toHaveLength(0)
  })

  it('returns the same vouchers to a repeat, on any process, and charges nothing', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 3)
    const { key } = await app.makeReseller()
    const body = { typeId, quantity: 2, reference: newReference(), recipientEmail: 'ama@example.com' }
    const first = await buy(key, body)
    const again = await buy(key, body, second)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(again.body.data).toEqual(first.body.data)
    expect((await recall(key, body.reference)).body.data).toEqual({
      order: first.body.data.order,
      vouchers: first.body.data.vouchers,
    })
    expect(await typeOf(key, typeId)).toMatchObject({ available_count: 1 })
  })

  it('answers a repeat even when the type is off sale, the service switched off and the stock gone by now', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 1)
    const { key } = await app.makeReseller()
    const body = { typeId, reference: newReference() }
    const first = await buy(key, body)
    await sql`update voucher_types set is_active = false where id = ${typeId}`.execute(app.database.db)
    await writeSetting(app.database.db, resultsCheckerEnabled, false, 'test')
    await aSecond()
    const again = await buy(key, body)
    const fresh = await buy(key, { typeId })
    const listed = await app.call('GET', '/resultschecker/orders', { key })
    await writeSetting(app.database.db, resultsCheckerEnabled, true, 'test')
    await aSecond()
    expect(again.body.data).toEqual(first.body.data)
    expect(fresh.status).toBe(503)
    expect(listed.status).toBe(200)
  })

  it.each([
    ['another quantity', { quantity: 2 }],
    ['another phone', { recipientPhone: '0241234567' }],
    ['another e-mail', { recipientEmail: 'kofi@example.com' }],
  ])('answers 409 and moves no money when a reference comes back with %s', async (_, change) => {
    const { typeId } = await stockVouchers(app.database.db, keys, 4)
    const { key } = await app.makeReseller()
    const body = { typeId, reference: newReference() }
    await buy(key, body)
    const before = await balance(key)
    expect((await buy(key, { ...body, ...change })).status).toBe(409)
    expect(await balance(key)).toBe(before)
  })

  it('shares one name space of references with data bundles, over all accounts', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 2)
    const { key } = await app.makeReseller()
    const other = await app.makeReseller()
    const reference = newReference()
    const bundle = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference }
    expect((await app.call('POST', '/data/purchase', { key, body: bundle })).status).toBe(200)
    expect((await buy(key, { typeId, reference })).status).toBe(409)
    expect((await buy(other.key, { typeId, reference })).status).toBe(409)
    expect((await app.call('GET', `/orders/${reference}`, { key })).status).toBe(200)
    expect((await recall(key, reference)).status).toBe(404)
  })

  it('answers 400 naming the available count when the stock is shorter than the quantity, and leaves the reference free', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 2)
    const { key } = await app.makeReseller()
    const reference = newReference()
    const { status, body, headers } = await buy(key, { typeId, quantity: 3, reference })
    expect(status).toBe(400)
    expect(headers['x-error-reason']).toBe('voucher_stock_short')
    expect(body.error.message).toContain('2 available')
    expect(await balance(key)).toBe(1_000)
    expect((await buy(key, { typeId, quantity: 1e15, reference })).status).toBe(400)
    expect((await buy(key, { typeId, quantity: 2, reference })).status).toBe(200)
  })

  it('answers 404 for an unknown or inactive type', async () => {
    const { key } = await app.makeReseller()
    const { typeId } = await stockVouchers(app.database.db, keys, 1, { isActive: false })
    for (const id of [newId(), typeId]) {
      const { status, headers } = await buy(key, { typeId: id })
      expect([status, headers['x-error-reason']]).toEqual([404, 'voucher_type_not_found'])
    }
  })

  it('answers 400 when the balance is not enough, takes no voucher and leaves the reference free', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 2)
    const { key } = await app.makeReseller({ balancePesewas: 1_749 })
    const reference = newReference()
    const refused = await buy(key, { typeId, reference })
    expect([refused.status, refused.headers['x-error-reason']]).toEqual([400, 'insufficient_funds'])
    expect(await typeOf(key, typeId)).toMatchObject({ available_count: 2 })
    const rich = await app.makeReseller()
    expect((await buy(rich.key, { typeId, reference })).status).toBe(200)
  })

  it('has no upper bound of quantity but the stock, until the operator sets one', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 250)
    const { key } = await app.makeReseller({ balancePesewas: 1_000_000 })
    const { status, body } = await buy(key, { typeId, quantity: 200 })
    expect(status).toBe(200)
    expect(new Set(body.data.vouchers.map((voucher: { pin: string }) => voucher.pin)).size).toBe(200)
    await writeSetting(app.database.db, resultsCheckerMaxQuantity, 5, 'test')
    await aSecond()
    const tooMany = await buy(key, { typeId, quantity: 6 })
    const enough = await buy(key, { typeId, quantity: 5 })
    await writeSetting(app.database.db, resultsCheckerMaxQuantity, null, 'test')
    await aSecond()
    expect([tooMany.status, tooMany.headers['x-error-reason']]).toEqual([400, 'voucher_quantity_too_large'])
    expect(enough.status).toBe(200)
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
  ])('answers 400 for %s', async (_, change) => {
    const { key } = await app.makeReseller()
    const { status } = await buy(key, { typeId: newId(), ...change })
    expect(status).toBe(400)
  })

  it('sells each voucher once to 5 buyers who race for the last ones on two processes, and charges nobody without a voucher', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 23)
    const buyers = await Promise.all(Array.from({ length: 5 }, () => app.makeReseller({ balancePesewas: 100_000 })))
    const refusals = new Set<string>()
    const bought = new Map(buyers.map(({ key }) => [key, [] as { pin: string; serial_number: string }[]]))
    await Promise.all(
      buyers.flatMap(({ key }, buyer) =>
        Array.from({ length: 12 }, async (_, index) => {
          const { status, body, headers } = await buy(
            key,
            { typeId, quantity: 1 + (index % 3) },
            (buyer + index) % 2 ? app : second,
          )
          if (status === 200) bought.get(key)?.push(...body.data.vouchers)
          else refusals.add(`${status} ${String(headers['x-error-reason'])}`)
        }),
      ),
    )
    const all = [...bought.values()].flat()
    expect(refusals).toEqual(new Set(['400 voucher_stock_short']))
    expect(all).toHaveLength(23)
    expect(new Set(all.map((voucher) => voucher.pin)).size).toBe(23)
    for (const [key, vouchers] of bought) expect(await balance(key)).toBe(1_000 - vouchers.length * 17.5)
    expect((await buy(buyers[0]?.key ?? '', { typeId })).body.error.message).toContain('0 available')
    const checks = await audit()
    expect(checks).toEqual(clean(checks))
  })

  it('waits for another purchase of the same type that is not yet committed, and then sees what it left', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 1)
    const { key } = await app.makeReseller()
    const other = newId()
    const purchase = await inTransaction(app.database.db, async (tx) => {
      await sql`select from voucher_types where id = ${typeId} for no key update`.execute(tx)
      await claimVouchers(tx, [{ orderId: other, typeId, quantity: 1 }])
      const waiting = buy(key, { typeId })
      // Long enough for the purchase to reach the lock, short enough for its patience.
      await new Promise((resolve) => setTimeout(resolve, 300))
      return { waiting }
    })
    const { status, headers } = await purchase.waiting
    expect([status, headers['x-error-reason']]).toEqual([400, 'voucher_stock_short'])
    expect(await balance(key)).toBe(1_000)
    // The other order was never written; without it the audit at the end would rightly complain.
    await sql`delete from vouchers where order_id = ${other}`.execute(app.database.ownerDb)
  })

  it('turns equal requests racing on two processes into one order with one set of vouchers', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 20)
    const { key } = await app.makeReseller()
    const body = { typeId, quantity: 2, reference: newReference() }
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => buy(key, body, index % 2 ? app : second)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body.data.vouchers))).size).toBe(1)
    expect(await balance(key)).toBe(965)
  })
})

describe('GET /resultschecker/orders', () => {
  it('lists at most 30 of the caller’s own orders, newest first, without vouchers', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 40)
    const { key } = await app.makeReseller({ balancePesewas: 1_000_000 })
    const other = await app.makeReseller()
    await buy(other.key, { typeId })
    const placed: string[] = []
    for (let index = 0; index < 32; index += 1) placed.push((await buy(key, { typeId })).body.data.order.reference)
    const { body } = await app.call('GET', '/resultschecker/orders', { key })
    expect(body.data.orders.map((order: { reference: string }) => order.reference)).toEqual(placed.toReversed().slice(0, 30))
    expect(JSON.stringify(body)).not.toContain('PIN-')
  })
})

describe('GET /resultschecker/orders/{reference}', () => {
  it('answers another account’s order as one that does not exist', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 1)
    const { key } = await app.makeReseller()
    const other = await app.makeReseller()
    const reference = newReference()
    await buy(key, { typeId, reference })
    const foreign = await recall(other.key, reference)
    const missing = await recall(other.key, 'nobody-knows-it')
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
  })

  it('answers 500 that tells nothing when a ciphertext was moved to another row, altered or cut', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 2)
    const { key } = await app.makeReseller()
    const reference = newReference()
    const { body } = await buy(key, { typeId, quantity: 2, reference })
    const [first, other] = body.data.vouchers as { id: string; pin: string }[]
    const sealedPin = async (id = '') =>
      (await app.database.db.selectFrom('vouchers').select('pin').where('id', '=', id).executeTakeFirstOrThrow()).pin
    const original = await sealedPin(first?.id)
    for (const wrong of [
      await sealedPin(other?.id),
      original.slice(0, -2),
      original.replace(/^v1\.[0-9a-f]+/, 'v1.00000000'),
      'x',
    ]) {
      await app.database.ownerDb
        .updateTable('vouchers')
        .set({ pin: wrong })
        .where('id', '=', first?.id ?? '')
        .execute()
      const answer = await recall(key, reference)
      expect([answer.status, answer.headers['x-error-reason']]).toEqual([500, 'internal_error'])
      expect(JSON.stringify(answer.body)).not.toContain('PIN-')
    }
    await app.database.ownerDb
      .updateTable('vouchers')
      .set({ pin: original })
      .where('id', '=', first?.id ?? '')
      .execute()
    expect((await recall(key, reference)).body.data.vouchers).toEqual(body.data.vouchers)
  })
})

describe('the stock', () => {
  it('never takes a sold voucher back or gives it to another order', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 1)
    const { key } = await app.makeReseller()
    const { body } = await buy(key, { typeId })
    const id = body.data.vouchers[0].id as string
    for (const orderId of [null, newId()]) {
      const change = sql`update vouchers set order_id = ${orderId}, sold_at = ${orderId && new Date()} where id = ${id}`
      await expect(change.execute(app.database.db)).rejects.toThrow('a sold voucher stays with its order')
    }
    await expect(sql`delete from vouchers where id = ${id}`.execute(app.database.db)).rejects.toThrow('permission denied')
  })

  it('sells nothing rather than too little when its count is wrong, and the audit names it', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 1)
    await sql`update voucher_types set available_count = 5 where id = ${typeId}`.execute(app.database.db)
    const { key } = await app.makeReseller()
    expect((await buy(key, { typeId, quantity: 2 })).status).toBe(500)
    expect(await balance(key)).toBe(1_000)
    expect(await audit()).toMatchObject({ voucher_count_differs_from_stock: 1 })
    await sql`update voucher_types set available_count = 1 where id = ${typeId}`.execute(app.database.db)
  })

  it('is audited: a voucher sold without an order, and an order with another quantity than it has vouchers', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 2)
    const { key } = await app.makeReseller()
    const { body } = await buy(key, { typeId })
    await sql`update vouchers set order_id = ${newId()}, sold_at = now() where type_id = ${typeId} and order_id is null`.execute(
      app.database.db,
    )
    await sql`update voucher_types set available_count = 0 where id = ${typeId}`.execute(app.database.db)
    expect(await audit()).toMatchObject({ voucher_sold_without_its_order: 1, order_quantity_differs_from_its_vouchers: 0 })
    await sql`delete from vouchers where type_id = ${typeId}`.execute(app.database.ownerDb)
    expect(await audit()).toMatchObject({ voucher_sold_without_its_order: 0, order_quantity_differs_from_its_vouchers: 1 })
    await sql`update orders set details = jsonb_set(details, '{quantity}', '0') where id = ${body.data.order.id}`.execute(
      app.database.ownerDb,
    )
    expect(await audit()).toMatchObject({ voucher_order_price_differs_from_its_quantity: 1 })
    await sql`update orders set details = details || '{"quantity": 0, "unitPricePesewas": 1}' where id = ${body.data.order.id}`.execute(
      app.database.ownerDb,
    )
    await sql`insert into vouchers select gen_random_uuid(), ${typeId}::uuid, 'x', '\\x01', 'x', '\\x01', ${body.data.order.id}::uuid, now(), now()`.execute(
      app.database.ownerDb,
    )
    await sql`update orders set details = details || '{"quantity": 1, "unitPricePesewas": 1750}' where id = ${body.data.order.id}`.execute(
      app.database.ownerDb,
    )
  })
})

it('the audit finds nothing wrong after all of this', async () => {
  const checks = await audit()
  expect(checks).toEqual(clean(checks))
})
