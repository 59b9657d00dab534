import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type CommissionReseller, setUpShop } from '../../../test/set-up-shop.ts'
import type { Answer, TestApi } from '../../../test/start-test-app.ts'
import { setAccountRole } from '../../accounts/set-account-role.ts'
import { rateLimitsSetting } from '../../all-settings.ts'
import type { CommissionTerms } from '../../money/commission-terms.ts'
import { writeCommissionPlan } from '../../money/write-commission-plan.ts'
import { prefixCheck } from '../../networks/networks.settings.ts'
import { raiseEpoch } from '../../platform/database/epoch.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { airtimeBounds, airtimeEnabled } from './airtime.settings.ts'

let references = 0

const shop = setUpShop({
  unlimited: ['POST /airtime/purchase', 'GET /airtime/orders/{reference}', 'GET /airtime/orders'],
  prepare: (db) =>
    inTransaction(db, (tx) =>
      writeCommissionPlan(tx, {
        rates: [{ product: 'airtime', network: 'MTN', rateBasisPoints: 300 }],
        shares: [
          { product: 'airtime', role: 'customer', shareBasisPoints: 1_000 },
          { product: 'airtime', role: 'agent', shareBasisPoints: 5_000 },
          { product: 'airtime', role: 'dealer', shareBasisPoints: 6_000 },
        ],
      }),
    ),
})
const { makeCommissionReseller: makeReseller, ordersOf } = shop
const balance = ({ standardKey }: CommissionReseller) => shop.balance(standardKey)
const newReference = () => `airtime-${++references}`
const topUp = (more: object = {}) => ({
  network: 'MTN',
  beneficiary_phone: '0241234567',
  amount: 5,
  reference: newReference(),
  ...more,
})
const buy = (key: string, body: unknown, api: TestApi = shop.app): Promise<Answer> =>
  api.call('POST', '/airtime/purchase', { key, body })
const lookUp = (key: string, reference: string) =>
  shop.app.call('GET', `/airtime/orders/${encodeURIComponent(reference)}`, { key })

const termsOf = async (accountId: string) => (await ordersOf(accountId))[0]?.details['commission'] as CommissionTerms

describe('POST /airtime/purchase', () => {
  it('debits the face value, charges no fee and answers the order as the contract shows it', async () => {
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
  ])('sells on %s', async (network, number) => {
    const { key } = await makeReseller()
    expect((await buy(key, topUp({ network, beneficiary_phone: number }))).body.data).toMatchObject({
      network,
      status: 'pending',
    })
  })

  it('answers a repeat with the same reference and body with the original order and charges nothing', async () => {
    const reseller = await makeReseller()
    const body = topUp()
    const first = await buy(reseller.key, body)
    const again = await buy(reseller.key, body, shop.second)
    expect(again.status).toBe(200)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body.data).toEqual(first.body.data)
    expect(await balance(reseller)).toBe(995)
  })

  it('answers 409 and moves no money when a reference comes back with another body or from another account', async () => {
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

  it('shares one name space of references with data bundles', async () => {
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

  it('turns equal requests racing on two processes into one order and one debit', async () => {
    const reseller = await makeReseller()
    const body = topUp()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => buy(reseller.key, body, index % 2 ? shop.app : shop.second)),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.data.order_id)).size).toBe(1)
    expect(await balance(reseller)).toBe(995)
  })

  it('sells exactly what the wallet holds when airtime and data, single and in batches, race on two processes', async () => {
    const reseller = await makeReseller({ balancePesewas: 520 * 30 })
    const buyAny = (index: number): Promise<Answer> => {
      const api = index % 2 ? shop.app : shop.second
      const bundle = () => ({ network: 'MTN', volume_gb: 1, recipient: '0241234567', reference: newReference() })
      if (index % 3 === 0) return buy(reseller.key, topUp({ amount: 5.2 }), api)
      const path = index % 3 === 1 ? '/data/purchase' : '/data/bulk'
      return api.call('POST', path, { key: reseller.standardKey, body: index % 3 === 1 ? bundle() : { orders: [bundle()] } })
    }
    const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => buyAny(index)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(30)
    expect(answers.filter((answer) => answer.headers['x-error-reason'] === 'insufficient_funds')).toHaveLength(34)
    expect(await balance(reseller)).toBe(0)
    expect(await ordersOf(reseller.accountId)).toHaveLength(30)
  })

  it('answers 400 when the balance is not enough, and leaves the reference free', async () => {
    const poor = await makeReseller({ balancePesewas: 499 })
    const body = topUp()
    const refused = await buy(poor.key, body)
    expect(refused).toMatchObject({ status: 400, headers: { 'x-error-reason': 'insufficient_funds' } })
    expect(await ordersOf(poor.accountId)).toHaveLength(0)
    expect((await buy((await makeReseller()).key, body)).status).toBe(200)
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
  ])('answers 400 to %s and moves no money', async (_what, change) => {
    const reseller = await makeReseller()
    const answer = await buy(reseller.key, topUp(change))
    expect(answer.status).toBe(400)
    expect(await ordersOf(reseller.accountId)).toHaveLength(0)
    expect(await balance(reseller)).toBe(1_000)
  })

  it.each([1, 100])('sells airtime of GHS %d, a bound of the default', async (amount) => {
    const { key } = await makeReseller()
    expect((await buy(key, topUp({ amount }))).body.data.total_paid).toBe(amount)
  })

  it('takes references of 3 to 100 code points, and finds them', async () => {
    const { key } = await makeReseller()
    for (const reference of ['abc', '😀'.repeat(3), '😀'.repeat(100), 'a/b%c ɛ?#&+']) {
      expect((await buy(key, topUp({ reference }))).status).toBe(200)
      expect((await lookUp(key, reference)).body.data.reference).toBe(reference)
    }
  })

  it('answers 403 to keys of other types, naming the one that is needed', async () => {
    const { standardKey } = await makeReseller()
    for (const [method, path] of [
      ['POST', '/airtime/purchase'],
      ['GET', '/airtime/orders'],
      ['GET', '/airtime/orders/abc'],
    ] as const) {
      const answer = await shop.app.call(method, path, { key: standardKey, ...(method === 'POST' ? { body: topUp() } : {}) })
      expect(answer).toMatchObject({ status: 403, headers: { 'x-error-reason': 'wrong_key_type' } })
      expect(answer.body.error.message).toContain('commission')
    }
  })

  it('never answers a retry with a 4xx, whatever has become of the switch, the bounds, the prefix and the balance', async () => {
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

  it('leaves the prefix to the supplier when prefix_check is hint', async () => {
    const { key } = await makeReseller()
    await writeSetting(shop.db, prefixCheck, 'hint', 'test')
    await shop.app.untilSeen()
    const answer = await buy(key, topUp({ beneficiary_phone: '0201234567' }))
    await writeSetting(shop.db, prefixCheck, 'enforce', 'test')
    await shop.app.untilSeen()
    expect(answer.status).toBe(200)
  })

  it('sells to a ported number on any product of its operator', async () => {
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
  ] as const)('is bought by %s, whose share of the commission is then frozen', async (_who, role, expiresIn, share) => {
    const { key, accountId } = await makeReseller({ role })
    if (expiresIn !== null) {
      await sql`update accounts set role_expires_at = now() + ${expiresIn}::interval where id = ${accountId}`.execute(shop.db)
    }
    expect((await buy(key, topUp())).status).toBe(200)
    expect(await termsOf(accountId)).toEqual({ rateBasisPoints: 300, shareBasisPoints: share })
  })

  it('freezes the share and the rate when the order is placed, and takes new ones from the next order on, at once', async () => {
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
})

describe('GET /airtime/orders', () => {
  it('lists at most 30 orders of the account, newest first, with the contract’s fields', async () => {
    const { key, standardKey } = await makeReseller()
    const other = await makeReseller()
    await buy(other.key, topUp())
    await shop.app.call('POST', '/data/purchase', {
      key: standardKey,
      body: { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference: newReference() },
    })
    const bodies = Array.from({ length: 32 }, () => topUp())
    for (const body of bodies) await buy(key, body)
    const { orders } = (await shop.app.call('GET', '/airtime/orders', { key })).body.data
    expect(orders.map((order: { reference: string }) => order.reference)).toEqual(
      bodies
        .map((body) => body.reference)
        .toReversed()
        .slice(0, 30),
    )
    expect(orders[0]).toEqual({
      order_id: expect.any(String),
      reference: bodies[31]?.reference,
      status: 'pending',
      network: 'MTN',
      airtime_amount: 5,
    })
  })

  it('answers an empty list to an account without airtime orders', async () => {
    const { key } = await makeReseller()
    expect((await shop.app.call('GET', '/airtime/orders', { key })).body.data).toEqual({ orders: [] })
  })
})

describe('GET /airtime/orders/{reference}', () => {
  it('shows the order without a reason until it is refunded, and never says whose it is not', async () => {
    const { key } = await makeReseller()
    const body = topUp()
    const placed = await buy(key, body)
    expect((await lookUp(key, body.reference)).body.data).toEqual({
      order_id: placed.body.data.order_id,
      reference: body.reference,
      status: 'pending',
      network: 'MTN',
      beneficiary_phone: '0241234567',
      airtime_amount: 5,
      fee_amount: 0,
    })
    const missing = await lookUp(key, 'no-such-reference')
    const foreign = await lookUp((await makeReseller()).key, body.reference)
    expect(missing.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
  })
})

describe('the limits of the contract', () => {
  it('allow 10 purchases a minute and key when the operator sets nothing else', async () => {
    const { key } = await makeReseller()
    await writeSetting(shop.db, rateLimitsSetting, {}, 'test')
    await shop.app.untilSeen()
    const answers: Answer[] = []
    for (let index = 0; index < 11; index += 1) answers.push(await buy(key, topUp()))
    expect(answers.map((answer) => answer.status)).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })
})
