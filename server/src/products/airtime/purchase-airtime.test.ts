import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { applicant } from '../../../test/applicant.ts'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import type { Answer } from '../../../test/start-test-app.ts'
import { setAccountRole } from '../../accounts/set-account-role.ts'
import type { CommissionTerms } from '../../money/commission-terms.ts'
import { writeCommissionPlan } from '../../money/write-commission-plan.ts'
import { prefixCheck } from '../../networks/networks.settings.ts'
import { refundReasons } from '../../orders/settlement/explain-refund.ts'
import { raiseEpoch } from '../../platform/database/epoch.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { airtimeBounds, airtimeEnabled } from './airtime.settings.ts'
import { setUpAirtime } from './set-up-airtime.fixture.ts'

const { shop, balance, newReference, topUp, buy, lookUp } = setUpAirtime()
const { makeCommissionReseller: makeReseller, ordersOf } = shop

const termsOf = async (accountId: string) => (await ordersOf(accountId))[0]?.details['commission'] as CommissionTerms

describe('POST /airtime/purchase', () => {
  it('200: debits the face value, charges no fee and answers the order as the contract shows it', async () => {
    const reseller = await makeReseller()
    const body = topUp({ amount: 12.35 })
    const { status, body: answer } = await buy(reseller.key, body)
    expect(status).toBe(200)
    expect(answer.data).toEqual({
      order_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      reference: body.reference,
      status: 'pending',
      network: 'MTN',
      beneficiary_phone: '0241234567',
      airtime_amount: 12.35,
      fee_amount: 0,
      total_paid: 12.35,
      new_balance: 987.65,
    })
    expect(await balance(reseller)).toBe(987.65)
  })

  it.each([
    ['MTN', '0551234567'],
    ['Telecel', '0201234567'],
    ['AT', '0271234567'],
  ])('200: sells on %s', async (network, number) => {
    const { key } = await makeReseller()
    expect((await buy(key, topUp({ network, beneficiary_phone: number }))).body.data).toMatchObject({
      network,
      status: 'pending',
    })
  })

  it('200: answers a repeat with the same reference and body with the original order and charges nothing', async () => {
    const reseller = await makeReseller()
    const body = topUp()
    const first = await buy(reseller.key, body)
    const again = await buy(reseller.key, body, shop.second)
    expect(again.status).toBe(200)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body.data).toEqual(first.body.data)
    expect(await balance(reseller)).toBe(995)
  })

  it('200: answers a repeat with the order as it is now and the wallet as it is now; a first call is no repeat', async () => {
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

  it('200: takes numbers by value and fields in any order for the same request', async () => {
    const { key } = await makeReseller()
    const { body } = await buy(key, topUp({ reference: 'by-value' }))
    const rawBody = '{"reference":"by-value","amount":5.00e0,"note":"x","network":"MTN","beneficiary_phone":"0241234567"}'
    const again = await shop.app.call('POST', '/airtime/purchase', { key, rawBody })
    expect(again).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
    expect(again.body.data.order_id).toBe(body.data.order_id)
  })

  it('200: never answers a retry with a 4xx, whatever has become of the switch, the bounds, the prefix and the balance', async () => {
    const reseller = await makeReseller({ balancePesewas: 500 })
    const body = topUp()
    const first = await buy(reseller.key, body)
    const { db } = shop
    await writeSetting(db, airtimeEnabled, false, 'test')
    await writeSetting(db, airtimeBounds.MTN.minimum, 50, 'test')
    await inTransaction(db, async (tx) => {
      await sql`delete from number_prefixes where prefix = '024' and network = 'MTN'`.execute(tx)
      await raiseEpoch(tx)
    })
    await shop.app.untilSeen()
    const fresh = await buy(reseller.key, topUp())
    const replay = await buy(reseller.key, body)
    const conflict = await buy(reseller.key, { ...body, amount: 6 })
    const seen = await lookUp(reseller.key, body.reference)
    const listed = await shop.app.call('GET', '/airtime/orders', { key: reseller.key })
    await writeSetting(db, airtimeEnabled, true, 'test')
    await shop.app.untilSeen()
    const outOfBounds = await buy(reseller.key, topUp())
    await writeSetting(db, airtimeBounds.MTN.minimum, 1, 'test')
    await inTransaction(db, async (tx) => {
      await sql`insert into number_prefixes values ('024', 'MTN')`.execute(tx)
      await raiseEpoch(tx)
    })
    await shop.app.untilSeen()
    expect(fresh).toMatchObject({ status: 503, headers: { 'x-error-reason': 'feature_disabled' } })
    expect(replay.status).toBe(200)
    expect(replay.body.data).toEqual(first.body.data)
    expect(conflict.status).toBe(409)
    expect([seen.status, listed.status]).toEqual([200, 200])
    expect(outOfBounds.status).toBe(400)
  })

  it('409: moves no money when a reference comes back with another body or from another account', async () => {
    const reseller = await makeReseller()
    const other = await makeReseller()
    const body = topUp()
    await buy(reseller.key, body)
    for (const change of [
      { amount: 6 },
      { beneficiary_phone: '0241234568' },
      { network: 'Telecel', beneficiary_phone: '0201234567' },
    ])
      expect((await buy(reseller.key, { ...body, ...change })).status).toBe(409)
    expect((await buy(other.key, body)).status).toBe(409)
    expect(await balance(reseller)).toBe(995)
    expect(await balance(other)).toBe(1_000)
    expect((await lookUp(other.key, body.reference)).status).toBe(404)
  })

  it('409: refuses a taken reference before it looks at prefix, bounds or funds', async () => {
    const { key } = await makeReseller({ balancePesewas: 500 })
    const body = topUp()
    await buy(key, body)
    for (const change of [{ network: 'Telecel' }, { amount: 100_000 }, { beneficiary_phone: '0209999999' }, { amount: 99 }]) {
      expect((await buy(key, { ...body, ...change })).headers['x-error-reason']).toBe('reference_taken')
    }
  })

  it('409: shares one name space of references with data bundles', async () => {
    const { key, standardKey } = await makeReseller()
    const body = topUp()
    await buy(key, body)
    const bundle = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference: body.reference }
    expect((await shop.app.call('POST', '/data/purchase', { key: standardKey, body: bundle })).status).toBe(409)
    const used = { ...bundle, reference: newReference() }
    await shop.app.call('POST', '/data/purchase', { key: standardKey, body: used })
    expect((await buy(key, topUp({ reference: used.reference }))).status).toBe(409)
    expect((await lookUp(key, used.reference)).status).toBe(404)
    expect((await shop.app.call('GET', `/orders/${body.reference}`, { key: standardKey })).status).toBe(404)
  })

  it('409: shares one name space of references with results checker and AFA', async () => {
    const { key, standardKey } = await makeReseller()
    const { reference } = topUp()
    await buy(key, topUp({ reference }))
    const voucher = { typeId: '0192f0c1-7a3b-7000-8000-000000000000', quantity: 1, reference }
    const person = {
      reference,
      ...applicant,
    }
    const answers = [
      await shop.app.call('POST', '/resultschecker/purchase', { key: standardKey, body: voucher }),
      await shop.app.call('POST', '/afa/register', { key: standardKey, body: person }),
    ]
    expect(answers.map(({ headers }) => headers['x-error-reason'])).toEqual(['reference_taken', 'reference_taken'])
  })

  it('200: turns equal requests racing on two processes into one order and one debit', async () => {
    const reseller = await makeReseller()
    const body = topUp()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        retryWhileOverloaded(() => buy(reseller.key, body, index % 2 ? shop.app : shop.second)),
      ),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.data.order_id)).size).toBe(1)
    expect(await balance(reseller)).toBe(995)
  })

  it('200 or 400: sells exactly what the wallet holds when airtime and data, single and in batches, race on two processes', async () => {
    const reseller = await makeReseller({ balancePesewas: 520 * 30 })
    const buyAny = (index: number): Promise<Answer> => {
      const api = index % 2 ? shop.app : shop.second
      const bundle = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference: newReference() }
      const airtime = topUp({ amount: 5.2 })
      if (index % 3 === 0) return retryWhileOverloaded(() => buy(reseller.key, airtime, api))
      const path = index % 3 === 1 ? '/data/purchase' : '/data/bulk'
      const body = index % 3 === 1 ? bundle : { orders: [bundle] }
      return retryWhileOverloaded(() => api.call('POST', path, { key: reseller.standardKey, body }))
    }
    const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => buyAny(index)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(30)
    expect(answers.filter((answer) => answer.headers['x-error-reason'] === 'insufficient_funds')).toHaveLength(34)
    expect(await balance(reseller)).toBe(0)
    expect(await ordersOf(reseller.accountId)).toHaveLength(30)
  })

  it('400: leaves the reference free when the balance is not enough', async () => {
    const poor = await makeReseller({ balancePesewas: 499 })
    const body = topUp()
    const refused = await buy(poor.key, body)
    expect(refused).toMatchObject({ status: 400, headers: { 'x-error-reason': 'insufficient_funds' } })
    expect(await ordersOf(poor.accountId)).toHaveLength(0)
    expect((await buy((await makeReseller()).key, body)).status).toBe(200)
  })

  it('400: looks at prefix and bounds before funds, and leaves the reference of a refused call free', async () => {
    const reseller = await makeReseller({ balancePesewas: 500 })
    const body = topUp()
    const reasonOf = async (change: object) => (await buy(reseller.key, { ...body, ...change })).headers['x-error-reason']
    expect(await reasonOf({ beneficiary_phone: '0201234567', amount: 50 })).toBe('prefix_mismatch')
    expect(await reasonOf({ amount: 100.01 })).toBe('invalid_request')
    expect(await reasonOf({ amount: 5.01 })).toBe('insufficient_funds')
    expect(await buy(reseller.key, body)).toMatchObject({ status: 200, body: { data: { new_balance: 0 } } })
  })

  it.each([
    ['a network of data bundles', { network: 'AT-iShare' }],
    ['a network in the wrong case', { network: 'mtn' }],
    ['an amount as text', { amount: '5' }],
    ['an amount of zero', { amount: 0 }],
    ['a negative amount', { amount: -5 }],
    ['an amount with three decimals', { amount: 5.001 }],
    ['an amount below the network’s least', { amount: 0.99 }],
    ['an amount above the network’s most', { amount: 100.01 }],
    ['an amount beyond all numbers', { amount: 1e308 }],
    ['a phone of nine digits', { beneficiary_phone: '024123456' }],
    ['a phone in international form', { beneficiary_phone: '233241234567' }],
    ['a phone with a plus', { beneficiary_phone: '+233241234567' }],
    ['a phone of another network', { beneficiary_phone: '0201234567' }],
    ['no reference', { reference: undefined }],
    ['a reference of two characters', { reference: 'ab' }],
    ['a reference of 101 characters', { reference: 'x'.repeat(101) }],
    ['a blank reference', { reference: '    ' }],
    ['a reference with a control character', { reference: 'ab\u0007c' }],
  ])('400: moves no money for %s', async (_what, change) => {
    const reseller = await makeReseller()
    const answer = await buy(reseller.key, topUp(change))
    expect(answer.status).toBe(400)
    expect(await ordersOf(reseller.accountId)).toHaveLength(0)
    expect(await balance(reseller)).toBe(1_000)
  })

  it.each([
    [5.001, 'amount must have at most 2 decimals.'],
    [1e20, 'amount is too large.'],
    [1e14, 'amount is too large.'],
  ])('400: says of the amount %d what is wrong with it: %s', async (amount, message) => {
    const answer = await buy((await makeReseller()).key, topUp({ amount }))
    expect(answer).toMatchObject({ status: 400, body: { error: { message } } })
  })

  it('400: names every faulty field at once, the decimals of the amount and the reference among them', async () => {
    const faults = { network: 'mtn', beneficiary_phone: '24', amount: 5.001, reference: 'a\nb' }
    const answer = await buy((await makeReseller()).key, topUp(faults))
    expect(answer.body.error.message.split(/(?<=\.) /)).toEqual([
      'network must be one of MTN, Telecel, AT.',
      'beneficiary_phone must be 10 digits starting with 0.',
      'amount must have at most 2 decimals.',
      'reference must be text without control characters.',
    ])
  })

  it.each(['😀'.repeat(2), '😀'.repeat(101), '', null, 12])('400: refuses the reference %s', async (reference) => {
    const { key } = await makeReseller()
    expect((await buy(key, topUp({ reference }))).status).toBe(400)
  })

  it.each([1, 100])('200: sells airtime of GHS %d, a bound of the default', async (amount) => {
    const { key } = await makeReseller()
    expect((await buy(key, topUp({ amount }))).body.data.total_paid).toBe(amount)
  })

  it.each([1.1, 4.35, 8.2, 16.4, 65.38, 99.99])('200: takes the amount %d, which has 2 decimals', async (amount) => {
    const { status, body } = await buy((await makeReseller()).key, topUp({ amount }))
    expect([status, body.data.total_paid]).toEqual([200, amount])
  })

  it('200 or 400: holds each network to its own bounds, at both ends, as they are now', async () => {
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

  it('200: takes references of 3 to 100 code points, and finds them', async () => {
    const { key } = await makeReseller()
    for (const reference of ['abc', '😀'.repeat(3), '😀'.repeat(100), 'a/b%c ɛ?#&+']) {
      expect((await buy(key, topUp({ reference }))).status).toBe(200)
      expect((await lookUp(key, reference)).body.data.reference).toBe(reference)
    }
  })

  it.each(['xyz', 'r'.repeat(100), '😁'.repeat(100), '...', 'a/b?c=d%20 e', 'é-ɛ+'])(
    '200: takes the reference %s, by which the order is looked up',
    async (reference) => {
      const { key } = await makeReseller()
      const { status, body } = await buy(key, topUp({ reference }))
      expect(status).toBe(200)
      expect((await lookUp(key, reference)).body.data.order_id).toBe(body.data.order_id)
    },
  )

  it('200: leaves the prefix to the supplier when prefix_check is hint', async () => {
    const { key } = await makeReseller()
    await writeSetting(shop.db, prefixCheck, 'hint', 'test')
    await shop.app.untilSeen()
    const answer = await buy(key, topUp({ beneficiary_phone: '0201234567' }))
    await writeSetting(shop.db, prefixCheck, 'enforce', 'test')
    await shop.app.untilSeen()
    expect(answer.status).toBe(200)
  })

  it('200 or 400: sells to a ported number on any product of its operator', async () => {
    const { key } = await makeReseller()
    await inTransaction(shop.db, async (tx) => {
      await sql`insert into ported_numbers (number, network) values ('0249999999', 'AT-iShare')`.execute(tx)
      await raiseEpoch(tx)
    })
    await shop.app.untilSeen()
    expect((await buy(key, topUp({ network: 'AT', beneficiary_phone: '0249999999' }))).status).toBe(200)
    expect((await buy(key, topUp({ beneficiary_phone: '0249999999' }))).status).toBe(400)
  })

  it.each([
    ['a lifetime agent', 'agent', null, 5_000],
    ['a lifetime dealer', 'dealer', null, 6_000],
    ['a customer', 'customer', null, 0],
    ['an agent whose role will expire', 'agent', '1 hour', 0],
    ['a dealer whose role has expired', 'dealer', '-1 hour', 0],
  ] as const)('200: is bought by %s, whose share of the commission is then frozen', async (_who, role, expiresIn, share) => {
    const { key, accountId } = await makeReseller({ role })
    if (expiresIn !== null) {
      await sql`update accounts set role_expires_at = now() + ${expiresIn}::interval where id = ${accountId}`.execute(shop.db)
    }
    expect((await buy(key, topUp())).status).toBe(200)
    expect(await termsOf(accountId)).toEqual({ rateBasisPoints: 300, shareBasisPoints: share })
  })

  it('200: freezes the share and the rate when the order is placed, and takes new ones from the next order on, at once', async () => {
    const { key, accountId } = await makeReseller()
    await buy(key, topUp())
    await inTransaction(shop.db, (tx) =>
      writeCommissionPlan(tx, { shares: [{ product: 'airtime', role: 'agent', shareBasisPoints: 4_000 }] }),
    )
    await buy(key, topUp())
    await inTransaction(shop.db, (tx) =>
      writeCommissionPlan(tx, { shares: [{ product: 'airtime', role: 'agent', shareBasisPoints: 5_000 }] }),
    )
    await inTransaction(shop.db, (tx) => setAccountRole(tx, { accountId, role: 'customer', roleExpiresAt: null, actor: 'test' }))
    await buy(key, topUp())
    const orders = (await ordersOf(accountId)).toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())
    const shares = orders.map((order) => (order.details['commission'] as CommissionTerms).shareBasisPoints)
    expect(shares).toEqual([5_000, 4_000, 0])
  })

  it('503: refuses new orders alone on a network that no supplier is asked for any more', async () => {
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
})
