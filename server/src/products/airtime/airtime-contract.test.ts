import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeKeyRules } from '../../../test/describe-key-rules.ts'
import { type CommissionReseller, setUpShop } from '../../../test/set-up-shop.ts'
import { refundReasons } from '../../orders/settlement/explain-refund.ts'
import { raiseEpoch } from '../../platform/database/epoch.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { airtimeBounds, airtimeEnabled } from './airtime.settings.ts'

const shop = setUpShop()
const makeReseller = shop.makeCommissionReseller
const balance = ({ standardKey }: CommissionReseller) => shop.balance(standardKey)

let references = 0
const topUp = (more: object = {}) => ({
  network: 'MTN',
  beneficiary_phone: '0241234567',
  amount: 5,
  reference: `contract-${++references}`,
  ...more,
})
const buy = (key: string, body: unknown) => shop.app.call('POST', '/airtime/purchase', { key, body })
const lookUp = (key: string, reference: string) =>
  shop.app.call('GET', `/airtime/orders/${encodeURIComponent(reference)}`, { key })
const list = async (key: string) => (await shop.app.call('GET', '/airtime/orders', { key })).body.data.orders

const endpoints = [
  ['POST', '/airtime/purchase', '"POST /airtime/purchase";q=10;w=60'],
  ['GET', '/airtime/orders', '"GET /airtime/orders";q=30;w=60'],
  ['GET', '/airtime/orders/nobody', '"GET /airtime/orders/{reference}";q=30;w=60'],
] as const

describeKeyRules(shop, 'commission', endpoints)

describe('POST /airtime/purchase', () => {
  it('leaves the lists and look-ups of a key alone whose ten purchases of a minute are used up', async () => {
    const { key } = await makeReseller()
    for (let index = 0; index < 10; index += 1) await buy(key, {})
    expect((await buy(key, topUp())).status).toBe(429)
    expect((await list(key)).length).toBe(0)
    expect((await lookUp(key, 'nobody')).status).toBe(404)
  })

  it.each(['abc', 'r'.repeat(100), '😀'.repeat(100), '...', 'a/b?c=d%20 e', 'é-ɛ+'])(
    'takes the reference %s, by which the order is looked up',
    async (reference) => {
      const { key } = await makeReseller()
      const { status, body } = await buy(key, topUp({ reference }))
      expect(status).toBe(200)
      expect((await lookUp(key, reference)).body.data.order_id).toBe(body.data.order_id)
    },
  )

  it('makes an order that is found under exactly its reference, percent-decoded once', async () => {
    const { key } = await makeReseller()
    await buy(key, topUp({ reference: 'Shop/100% ɛ' }))
    for (const wrong of ['shop/100% ɛ', 'Shop/100% ɛ ', encodeURIComponent('Shop/100% ɛ')]) {
      expect((await lookUp(key, wrong)).status).toBe(404)
    }
    expect((await lookUp(key, 'Shop/100% ɛ')).status).toBe(200)
  })

  it.each([
    [5.001, 'amount must have at most 2 decimals.'],
    [1e20, 'amount is too large.'],
    [1e14, 'amount is too large.'],
  ])('says of the amount %d what is wrong with it: %s', async (amount, message) => {
    const answer = await buy((await makeReseller()).key, topUp({ amount }))
    expect(answer).toMatchObject({ status: 400, body: { error: { message } } })
  })

  it('names every faulty field at once, the decimals of the amount and the reference among them', async () => {
    const faults = { network: 'mtn', beneficiary_phone: '24', amount: 5.001, reference: 'a\nb' }
    const answer = await buy((await makeReseller()).key, topUp(faults))
    expect(answer.body.error.message.split(/(?<=\.) /)).toEqual([
      'network must be one of MTN, Telecel, AT.',
      'beneficiary_phone must be 10 digits starting with 0.',
      'amount must have at most 2 decimals.',
      'reference must be text without control characters.',
    ])
  })

  it.each([1.1, 4.35, 8.2, 16.4, 65.38, 99.99])('takes the amount %d, which has 2 decimals', async (amount) => {
    const { status, body } = await buy((await makeReseller()).key, topUp({ amount }))
    expect([status, body.data.total_paid]).toEqual([200, amount])
  })

  it.each(['😀'.repeat(2), '😀'.repeat(101), '', null, 12])('answers 400 to the reference %s', async (reference) => {
    const { key } = await makeReseller()
    expect((await buy(key, topUp({ reference }))).status).toBe(400)
  })

  it('takes numbers by value and fields in any order for the same request', async () => {
    const { key } = await makeReseller()
    const { body } = await buy(key, topUp({ reference: 'by-value' }))
    const rawBody = '{"reference":"by-value","amount":5.00e0,"note":"x","network":"MTN","beneficiary_phone":"0241234567"}'
    const again = await shop.app.call('POST', '/airtime/purchase', { key, rawBody })
    expect(again).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
    expect(again.body.data.order_id).toBe(body.data.order_id)
  })

  it('answers a repeat with the order as it is now and the wallet as it is now; a first call is no repeat', async () => {
    const reseller = await makeReseller()
    const body = topUp()
    const first = await buy(reseller.key, body)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    await buy(reseller.key, topUp({ amount: 20 }))
    expect((await buy(reseller.key, body)).body.data).toEqual({ ...first.body.data, new_balance: 975 })
    await shop.refund(first.body.data.order_id)
    expect((await buy(reseller.key, body)).body.data).toEqual({
      ...first.body.data,
      status: 'refunded',
      new_balance: 980,
      reason: refundReasons.cancelled,
    })
    expect(await balance(reseller)).toBe(980)
  })

  it('answers 409 to a taken reference before it looks at prefix, bounds or funds', async () => {
    const { key } = await makeReseller({ balancePesewas: 500 })
    const body = topUp()
    await buy(key, body)
    for (const change of [{ network: 'Telecel' }, { amount: 100_000 }, { beneficiary_phone: '0209999999' }, { amount: 99 }]) {
      expect((await buy(key, { ...body, ...change })).headers['x-error-reason']).toBe('reference_taken')
    }
  })

  it('looks at prefix and bounds before funds, and leaves the reference of a refused call free', async () => {
    const reseller = await makeReseller({ balancePesewas: 500 })
    const body = topUp()
    const reasonOf = async (change: object) => (await buy(reseller.key, { ...body, ...change })).headers['x-error-reason']
    expect(await reasonOf({ beneficiary_phone: '0201234567', amount: 50 })).toBe('prefix_mismatch')
    expect(await reasonOf({ amount: 100.01 })).toBe('invalid_request')
    expect(await reasonOf({ amount: 5.01 })).toBe('insufficient_funds')
    expect(await buy(reseller.key, body)).toMatchObject({ status: 200, body: { data: { new_balance: 0 } } })
  })

  it('shares one name space of references with results checker and AFA', async () => {
    const { key, standardKey } = await makeReseller()
    const { reference } = topUp()
    await buy(key, topUp({ reference }))
    const voucher = { typeId: '0192f0c1-7a3b-7000-8000-000000000000', quantity: 1, reference }
    const person = {
      reference,
      full_name: 'Ama Mensah',
      phone: '0241234567',
      id_type: 'Ghana Card',
      id_number: 'GHA-123456789-0',
      date_of_birth: '1990-05-17',
      region: 'Greater Accra',
      location: 'Madina',
    }
    const answers = [
      await shop.app.call('POST', '/resultschecker/purchase', { key: standardKey, body: voucher }),
      await shop.app.call('POST', '/afa/register', { key: standardKey, body: person }),
    ]
    expect(answers.map(({ headers }) => headers['x-error-reason'])).toEqual(['reference_taken', 'reference_taken'])
  })

  it('holds each network to its own bounds, at both ends, as they are now', async () => {
    const { key } = await makeReseller()
    const numbers = { MTN: '0241234567', Telecel: '0201234567', AT: '0271234567' }
    await writeSetting(shop.db, airtimeBounds.Telecel.minimum, 2.5, 'test')
    await writeSetting(shop.db, airtimeBounds.Telecel.maximum, 7.25, 'test')
    await shop.app.untilSeen()
    const statuses = async (network: keyof typeof numbers) => {
      const answers = [2.49, 2.5, 7.25, 7.26].map((amount) =>
        buy(key, topUp({ network, beneficiary_phone: numbers[network], amount })),
      )
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    const [telecel, mtn] = [await statuses('Telecel'), await statuses('MTN')]
    await writeSetting(shop.db, airtimeBounds.Telecel.minimum, 1, 'test')
    await writeSetting(shop.db, airtimeBounds.Telecel.maximum, 100, 'test')
    await shop.app.untilSeen()
    expect(telecel).toEqual([400, 200, 200, 400])
    expect(mtn).toEqual([200, 200, 200, 200])
  })
})

describe('a refunded order', () => {
  it('has its money back and a reason out of the fixed list, in the status form alone', async () => {
    const reseller = await makeReseller()
    const { body } = await buy(reseller.key, topUp({ amount: 12.35 }))
    const { reference, order_id: orderId } = body.data
    expect((await lookUp(reseller.key, reference)).body.data).not.toHaveProperty('reason')
    await shop.refund(orderId)
    expect((await lookUp(reseller.key, reference)).body.data).toEqual({
      order_id: orderId,
      reference,
      status: 'refunded',
      network: 'MTN',
      beneficiary_phone: '0241234567',
      airtime_amount: 12.35,
      fee_amount: 0,
      reason: refundReasons.cancelled,
    })
    expect(await list(reseller.key)).toEqual([
      { order_id: orderId, reference, status: 'refunded', network: 'MTN', airtime_amount: 12.35 },
    ])
    expect(await balance(reseller)).toBe(1_000)
  })
})

it('repeats, lists and look-ups are answered while the sale is switched off', async () => {
  const { key } = await makeReseller()
  const body = topUp()
  await buy(key, body)
  await writeSetting(shop.db, airtimeEnabled, false, 'test')
  await shop.app.untilSeen()
  const answers = [
    await buy(key, body),
    await shop.app.call('GET', '/airtime/orders', { key }),
    await lookUp(key, body.reference),
    await buy(key, topUp({ beneficiary_phone: '0201234567' })),
    await buy(key, topUp({ amount: 0 })),
  ]
  await writeSetting(shop.db, airtimeEnabled, true, 'test')
  await shop.app.untilSeen()
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 503, 400])
})

it('a network that no supplier is asked for any more is 503 for new orders alone', async () => {
  const { key } = await makeReseller()
  const body = topUp({ network: 'AT', beneficiary_phone: '0271234567' })
  await buy(key, body)
  await inTransaction(shop.db, async (tx) => {
    await sql`delete from routes where product = 'airtime' and network = 'AT'`.execute(tx)
    await raiseEpoch(tx)
  })
  await shop.app.untilSeen()
  const answers = [await buy(key, body), await buy(key, { ...body, reference: 'nobody-sells' })]
  await inTransaction(shop.db, async (tx) => {
    await sql`insert into routes (supplier, product, network) values ('hubtel', 'airtime', 'AT')`.execute(tx)
    await raiseEpoch(tx)
  })
  expect(answers.map(({ status }) => status)).toEqual([200, 503])
})

it('each product’s look-up finds only its own orders', async () => {
  const { key } = await makeReseller()
  const bill = { biller: 'dstv', account: '7020001234', amount: 20, reference: 'only-a-bill' }
  const { reference } = (await shop.app.call('POST', '/utilities/pay', { key, body: bill })).body.data
  expect((await lookUp(key, reference)).status).toBe(404)
  expect((await lookUp(key, 'only-a-bill')).status).toBe(404)
  expect(await list(key)).toEqual([])
})
