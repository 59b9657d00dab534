import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import type { Answer } from '../../../test/start-test-app.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { setUpUtilities } from './set-up-utilities.fixture.ts'
import { utilitiesEnabled } from './utilities.settings.ts'

const { shop, balance, bill, pay, lookUpOrder } = setUpUtilities()
const { makeCommissionReseller: makeReseller, ordersOf } = shop

describe('POST /utilities/pay', () => {
  it('200: debits the face value and answers a reference of the service, the caller’s share and the balance', async () => {
    const reseller = await makeReseller()
    const body = bill({ account: '7021112223', amount: 20.05 })
    const { status, body: answer } = await pay(reseller.key, body)
    expect(status).toBe(200)
    expect(answer.data).toEqual({
      reference: expect.stringMatching(/^UTIL-DSTV-[A-Z2-9]{16}$/),
      order_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'pending',
      biller: 'dstv',
      account: '7021112223',
      amount: 20.05,
      commission_share_percent: 50,
      new_balance: 979.95,
    })
    expect(await balance(reseller)).toBe(979.95)
  })

  it('200: shows a customer, and an agent whose role has expired, the customer’s share', async () => {
    const customer = await makeReseller({ role: 'customer' })
    const expired = await makeReseller()
    await sql`update accounts set role_expires_at = now() - interval '1 second' where id = ${expired.accountId}`.execute(shop.db)
    for (const { key } of [customer, expired]) expect((await pay(key, bill())).body.data.commission_share_percent).toBe(25.5)
  })

  it.each([
    ['ecg', { phone: '0241234567' }],
    ['ghana_water', { phone: '0201234567' }],
    ['dstv', {}],
    ['gotv', {}],
    ['startimes', {}],
  ])('200: pays %s at both ends of the bounds', async (biller, more) => {
    const reseller = await makeReseller({ balancePesewas: 100_100 })
    for (const amount of [1, 1_000]) {
      const answer = await pay(reseller.key, bill({ biller, amount, ...more }))
      expect(answer.body.data).toMatchObject({ biller, amount, status: 'pending' })
      expect(answer.body.data.reference).toMatch(new RegExp(`^UTIL-${biller.toUpperCase()}-`))
    }
    expect(await balance(reseller)).toBe(0)
  })

  it('200: ignores a phone that the biller does not ask for', async () => {
    const { key, accountId } = await makeReseller()
    expect((await pay(key, bill({ phone: 'no phone at all' }))).status).toBe(200)
    expect((await ordersOf(accountId))[0]?.details).toMatchObject({ phone: null })
  })

  it.each(['ecg', 'ghana_water'])('200 or 400: needs a phone of 10 digits for %s', async (biller) => {
    const { key } = await makeReseller()
    for (const phone of [undefined, '', '024123456', '02412345678', '+233241234567']) {
      expect((await pay(key, bill({ biller, phone }))).status).toBe(400)
    }
    const other = await makeReseller()
    for (const phone of [null, 241_234_567, {}]) expect((await pay(other.key, bill({ biller, phone }))).status).toBe(400)
    expect((await pay(key, bill({ biller, phone: '0241234567' }))).status).toBe(200)
  })

  it.each(['dstv', 'gotv', 'startimes'])('200: needs no phone for %s, and ignores one whatever it is', async (biller) => {
    const { key, accountId } = await makeReseller()
    expect((await pay(key, bill({ biller }))).status).toBe(200)
    expect((await pay(key, bill({ biller, phone: '12' }))).status).toBe(200)
    expect((await pay(key, bill({ biller, phone: null }))).status).toBe(200)
    expect((await pay(key, bill({ biller, phone: { a: [1] } }))).status).toBe(200)
    expect((await shop.ordersOf(accountId)).map(({ details }) => details['phone'])).toEqual([null, null, null, null])
  })

  it.each(['1'.repeat(30), 'P-12/34 567', '#'])('200: takes the account %j', async (account) => {
    const { key } = await makeReseller()
    expect((await pay(key, bill({ account }))).status).toBe(200)
  })

  it.each(['x', 'a-Z_0.9', '.', 'r'.repeat(64)])('200: takes the reference %s', async (reference) => {
    const { key } = await makeReseller()
    const body = bill({ reference })
    expect((await pay(key, body)).body.data.already_processed).toBeUndefined()
    expect((await pay(key, body)).body.data.already_processed).toBe(true)
  })

  it('200: takes a null reference as none', async () => {
    const { key } = await makeReseller()
    for (const body of [bill({ reference: null }), bill({ reference: null, phone: null })]) {
      expect((await pay(key, body)).body.data.already_processed).toBeUndefined()
    }
  })

  it('200: gives every payment a reference of its own, which is not the caller’s', async () => {
    const { key } = await makeReseller()
    const paid = [await pay(key, bill({ reference: 'UTIL-DSTV-MINE' })), await pay(key, bill({ biller: 'gotv' }))]
    const references = paid.map(({ body }) => String(body.data.reference))
    expect(references).toEqual([expect.stringMatching(/^UTIL-DSTV-[A-Z2-9]{16}$/), expect.stringMatching(/^UTIL-GOTV-/)])
    expect((await lookUpOrder(key, 'UTIL-DSTV-MINE')).status).toBe(404)
  })

  it.each([
    ['no biller', { biller: undefined }],
    ['a biller that does not exist', { biller: 'nepa' }],
    ['a biller in the wrong case', { biller: 'DSTV' }],
    ['no account', { account: undefined }],
    ['an empty account', { account: '' }],
    ['a blank account', { account: '  ' }],
    ['an account of 31 characters', { account: '1'.repeat(31) }],
    ['an account as a number', { account: 7021112223 }],
    ['no amount', { amount: undefined }],
    ['an amount as text', { amount: '20' }],
    ['an amount of zero', { amount: 0 }],
    ['an amount with three decimals', { amount: 20.001 }],
    ['an amount below the bounds', { amount: 0.99 }],
    ['an amount above the bounds', { amount: 1_000.01 }],
    ['ECG without a phone', { biller: 'ecg' }],
    ['Ghana Water without a phone', { biller: 'ghana_water' }],
    ['ECG with an international phone', { biller: 'ecg', phone: '233241234567' }],
    ['an empty reference', { reference: '' }],
    ['a reference of 65 characters', { reference: 'x'.repeat(65) }],
    ['a reference with a slash', { reference: 'a/b' }],
    ['a reference with a line break', { reference: 'abc\n' }],
    ['a reference as a number', { reference: 12 }],
  ])('400: moves no money for %s', async (_what, change) => {
    const reseller = await makeReseller()
    const answer = await pay(reseller.key, bill(change))
    expect(answer).toMatchObject({ status: 400, body: { success: false, error: { code: 400, message: expect.any(String) } } })
    expect(await ordersOf(reseller.accountId)).toHaveLength(0)
    expect(await balance(reseller)).toBe(1_000)
  })

  it.each(['r'.repeat(65), 'ä', 'a b', 'a%20b', '😀'])('400: refuses the reference %s', async (reference) => {
    const { key } = await makeReseller()
    expect((await pay(key, bill({ reference }))).status).toBe(400)
  })

  it.each(['1'.repeat(31), ' 5551', '5551 ', '\u00a05551', 'é123', 'e\u0301123', '55\u200b51', '\ufeff5551', '55\t51', '😀'])(
    '400: refuses the account %j and charges nothing, as the look-up does',
    async (account) => {
      const { key, standardKey } = await makeReseller()
      const answer = await pay(key, bill({ account }))
      expect([answer.status, answer.headers['x-error-reason']]).toEqual([400, 'invalid_request'])
      const query = new URLSearchParams({ biller: 'dstv', account }).toString()
      expect((await shop.app.call('GET', `/utilities/lookup?${query}`, { key })).status).toBe(400)
      expect(await shop.balance(standardKey)).toBe(1_000)
    },
  )

  it('400: refuses the phone in place of the meter for ECG, charges nothing, and leaves the reference free', async () => {
    const { key, standardKey } = await makeReseller()
    const body = { biller: 'ecg', phone: '0241234567', amount: 20, reference: 'phone-as-meter' }
    const answer = await pay(key, { ...body, account: body.phone })
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringMatching(/meter number.*not the phone/)])
    expect(await shop.balance(standardKey)).toBe(1_000)
    expect((await pay(key, { ...body, account: '0241234568' })).body.data.already_processed).toBeUndefined()
    expect((await pay(key, { ...body, biller: 'ghana_water', account: body.phone, reference: 'water' })).status).toBe(200)
  })

  it('400: names every faulty field at once, a phone that only the biller asks for among them', async () => {
    const { key } = await makeReseller()
    const answer = await pay(key, { biller: 'ecg', account: ' 1', amount: 20.001, reference: 'a/b' })
    expect(answer.body.error.message.split(/(?<=\.) /)).toEqual([
      'account must be printable ASCII characters without spaces at its ends.',
      'amount must have at most 2 decimals.',
      'reference must be letters, digits, dots, underscores and hyphens only.',
      'phone is required for ecg.',
    ])
  })

  it('400: says of an amount that is too large that it is, not that it has decimals', async () => {
    const answer = await pay((await makeReseller()).key, bill({ amount: 1e20 }))
    expect(answer).toMatchObject({ status: 400, body: { error: { message: 'amount is too large.' } } })
  })

  it('400: leaves reference and window free when the balance is not enough, which is not 402', async () => {
    const reseller = await makeReseller({ balancePesewas: 1_999 })
    const body = bill({ reference: 'poor-1' })
    expect(await pay(reseller.key, body)).toMatchObject({ status: 400, headers: { 'x-error-reason': 'insufficient_funds' } })
    expect(await ordersOf(reseller.accountId)).toHaveLength(0)
    expect((await pay(reseller.key, { ...body, amount: 19 })).status).toBe(200)
  })

  it('503: is the answer while utilities are switched off, before bounds and window, and never for the catalogue or orders', async () => {
    const { key } = await makeReseller()
    const paid = await pay(key, bill())
    await writeSetting(shop.db, utilitiesEnabled, false, 'test')
    await shop.app.untilSeen()
    const refused = await pay(key, bill({ amount: 5_000 }))
    const unasked = await shop.app.call('GET', '/utilities/lookup?biller=dstv&account=123', { key })
    const listed = await shop.app.call('GET', '/utilities/billers', { key })
    const seen = await lookUpOrder(key, paid.body.data.reference)
    await writeSetting(shop.db, utilitiesEnabled, true, 'test')
    await shop.app.untilSeen()
    expect([refused.status, unasked.status, listed.status, seen.status]).toEqual([503, 503, 200, 200])
  })

  it('503 or 400: tells the switch before the bounds, the window before the funds', async () => {
    const { key } = await makeReseller({ balancePesewas: 2_000 })
    const body = bill()
    expect((await pay(key, body)).body.data.new_balance).toBe(0)
    expect((await pay(key, body)).headers['x-error-reason']).toBe('duplicate_payment')
    expect((await pay(key, { ...body, amount: 1_000.01 })).headers['x-error-reason']).toBe('invalid_request')
    expect((await pay(key, { ...body, amount: 20.01 })).headers['x-error-reason']).toBe('insufficient_funds')
    await writeSetting(shop.db, utilitiesEnabled, false, 'test')
    await shop.app.untilSeen()
    const [refused, shapeless] = [await pay(key, { ...body, amount: 1_000.01 }), await pay(key, { ...body, amount: '20' })]
    await writeSetting(shop.db, utilitiesEnabled, true, 'test')
    await shop.app.untilSeen()
    expect([refused.headers['x-error-reason'], shapeless.status]).toEqual(['feature_disabled', 400])
  })

  it('409: takes the same biller, account and amount with another phone for the same payment', async () => {
    const { key } = await makeReseller()
    const body = bill({ biller: 'ecg', phone: '0241234567' })
    expect((await pay(key, body)).status).toBe(200)
    expect((await pay(key, { ...body, phone: '0201234567' })).headers['x-error-reason']).toBe('duplicate_payment')
  })

  it('200: answers a repeat whatever its account is now', async () => {
    const { key } = await makeReseller()
    const body = bill({ reference: 'repeat' })
    await pay(key, body)
    expect((await pay(key, { ...body, account: ' é ' })).body.data.already_processed).toBe(true)
  })

  it('200: answers a repeat with the order as it is now, and keeps the window after a refund', async () => {
    const reseller = await makeReseller()
    const body = bill({ reference: 'refunded' })
    const first = await pay(reseller.key, body)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    await shop.refund(first.body.data.order_id)
    const { reference, order_id: orderId } = first.body.data
    const again = (await pay(reseller.key, body)).body.data
    expect(again).toEqual({ reference, order_id: orderId, status: 'refunded', already_processed: true })
    expect((await pay(reseller.key, { ...body, reference: 'another' })).status).toBe(409)
    expect(await shop.balance(reseller.standardKey)).toBe(1_000)
  })

  it('200 or 400: accepts exactly what the wallet holds when bills, airtime and data race on two processes', async () => {
    const reseller = await makeReseller({ balancePesewas: 520 * 30 })
    const buyAny = (index: number): Promise<Answer> => {
      const api = index % 2 ? shop.app : shop.second
      const reference = `mixed-${reseller.accountId}-${index}`
      const bundle = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference }
      const ownBill = bill({ amount: 5.2, ...(index % 4 === 1 ? { reference: `mixed-${index}` } : {}) })
      const airtime = { network: 'MTN', beneficiary_phone: '0241234567', amount: 5.2, reference }
      return retryWhileOverloaded(() => {
        if (index % 4 < 2) return pay(reseller.key, ownBill, api)
        if (index % 4 === 2) return api.call('POST', '/data/bulk', { key: reseller.standardKey, body: { orders: [bundle] } })
        return api.call('POST', '/airtime/purchase', { key: reseller.key, body: airtime })
      })
    }
    const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => buyAny(index)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(30)
    expect(answers.filter((answer) => answer.headers['x-error-reason'] === 'insufficient_funds')).toHaveLength(34)
    expect(await balance(reseller)).toBe(0)
  })
})
