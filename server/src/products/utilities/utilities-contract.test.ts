import { describe, expect, it } from 'vitest'
import { describeKeyRules } from '../../../test/describe-key-rules.ts'
import { setUpShop } from '../../../test/set-up-shop.ts'
import { refundReasons } from '../../orders/settlement/explain-refund.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { billerKeys } from './utilities.schemas.ts'
import { billerEnabled, utilitiesEnabled, utilitiesMaxAmount, utilitiesMinAmount } from './utilities.settings.ts'

const shop = setUpShop()
const makeReseller = shop.makeCommissionReseller

let smartcards = 5_000_000
const bill = (more: object = {}) => ({ biller: 'dstv', account: String(++smartcards), amount: 20, ...more })
const pay = (key: string, body: unknown) => shop.app.call('POST', '/utilities/pay', { key, body })
const lookUp = (key: string, reference: string) => shop.app.call('GET', `/utilities/orders/${reference}`, { key })
const billers = async (key: string) => (await shop.app.call('GET', '/utilities/billers', { key })).body.data

const endpoints = [
  ['GET', '/utilities/billers', '"GET /utilities/billers";q=30;w=60'],
  ['GET', '/utilities/lookup', '"GET /utilities/lookup";q=10;w=60'],
  ['POST', '/utilities/pay', '"POST /utilities/pay";q=6;w=60'],
  ['GET', '/utilities/orders/nobody', '"GET /utilities/orders/{reference}";q=30;w=60'],
] as const

describeKeyRules(shop, 'commission', endpoints)

describe('GET /utilities/billers', () => {
  it('shows bounds that POST /utilities/pay then holds to, at both ends', async () => {
    const { key } = await makeReseller()
    await writeSetting(shop.db, utilitiesMinAmount, 10.5, 'test')
    await writeSetting(shop.db, utilitiesMaxAmount, 50.25, 'test')
    await shop.app.untilSeen()
    const { min_amount: least, max_amount: most } = await billers(key)
    const answers = [10.49, 10.5, 50.25, 50.26].map((amount) => pay(key, bill({ amount })))
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    await writeSetting(shop.db, utilitiesMinAmount, 1, 'test')
    await writeSetting(shop.db, utilitiesMaxAmount, 1_000, 'test')
    await shop.app.untilSeen()
    expect([least, most]).toEqual([10.5, 50.25])
    expect(statuses).toEqual([400, 200, 200, 400])
  })

  it('lists every biller that is switched off, which stops its payments and look-ups and no others', async () => {
    const { key: caller } = await makeReseller()
    const phone = '0241234567'
    for (const [index, key] of billerKeys.entries()) {
      const next = billerKeys[(index + 1) % billerKeys.length]
      const payer = (await makeReseller()).key
      await writeSetting(shop.db, billerEnabled[key], false, 'test')
      await shop.app.untilSeen()
      const listed = (await billers(caller)).billers as { key: string; enabled: boolean }[]
      const looked = `/utilities/lookup?biller=${key}&account=${phone}&phone=${phone}`
      const answers = [
        await pay(payer, bill({ biller: key, phone })),
        await shop.app.call('GET', looked, { key: payer }),
        await pay(payer, bill({ biller: next, phone })),
      ]
      await writeSetting(shop.db, billerEnabled[key], true, 'test')
      expect(listed.map((biller) => [biller.key, biller.enabled])).toEqual(billerKeys.map((each) => [each, each !== key]))
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 200])
    }
    await shop.app.untilSeen()
  })
})

describe('POST /utilities/pay', () => {
  it('leaves the other endpoints alone when the six payments of a minute are used up, of which repeats are some', async () => {
    const { key } = await makeReseller()
    const body = bill({ reference: 'six' })
    for (let index = 0; index < 6; index += 1) expect((await pay(key, body)).status).toBe(200)
    expect((await pay(key, body)).status).toBe(429)
    expect((await billers(key)).currency).toBe('GHS')
    expect((await lookUp(key, 'nobody')).status).toBe(404)
  })

  it.each(['x', 'a-Z_0.9', '.', 'r'.repeat(64)])('takes the reference %s', async (reference) => {
    const { key } = await makeReseller()
    const body = bill({ reference })
    expect((await pay(key, body)).body.data.already_processed).toBeUndefined()
    expect((await pay(key, body)).body.data.already_processed).toBe(true)
  })

  it.each(['r'.repeat(65), 'ä', 'a b', 'a%20b', '😀'])('answers 400 to the reference %s', async (reference) => {
    const { key } = await makeReseller()
    expect((await pay(key, bill({ reference }))).status).toBe(400)
  })

  it.each(['1'.repeat(30), 'P-12/34 567', '#'])('takes the account %j', async (account) => {
    const { key } = await makeReseller()
    expect((await pay(key, bill({ account }))).status).toBe(200)
  })

  it.each(['1'.repeat(31), ' 5551', '5551 ', '\u00a05551', 'é123', 'e\u0301123', '55\u200b51', '\ufeff5551', '55\t51', '😀'])(
    'answers 400 to the account %j and charges nothing, as the look-up does',
    async (account) => {
      const { key, standardKey } = await makeReseller()
      const answer = await pay(key, bill({ account }))
      expect([answer.status, answer.headers['x-error-reason']]).toEqual([400, 'invalid_request'])
      const query = new URLSearchParams({ biller: 'dstv', account }).toString()
      expect((await shop.app.call('GET', `/utilities/lookup?${query}`, { key })).status).toBe(400)
      expect(await shop.balance(standardKey)).toBe(1_000)
    },
  )

  it('answers 400 to the phone in place of the meter for ECG, charges nothing, and leaves the reference free', async () => {
    const { key, standardKey } = await makeReseller()
    const body = { biller: 'ecg', phone: '0241234567', amount: 20, reference: 'phone-as-meter' }
    const answer = await pay(key, { ...body, account: body.phone })
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringMatching(/meter number.*not the phone/)])
    expect(await shop.balance(standardKey)).toBe(1_000)
    expect((await pay(key, { ...body, account: '0241234568' })).body.data.already_processed).toBeUndefined()
    expect((await pay(key, { ...body, biller: 'ghana_water', account: body.phone, reference: 'water' })).status).toBe(200)
  })

  it('names every faulty field at once, a phone that only the biller asks for among them', async () => {
    const { key } = await makeReseller()
    const answer = await pay(key, { biller: 'ecg', account: ' 1', amount: 20.001, reference: 'a/b' })
    expect(answer.body.error.message.split(/(?<=\.) /)).toEqual([
      'account must be printable ASCII characters without spaces at its ends.',
      'amount must have at most 2 decimals.',
      'reference must be letters, digits, dots, underscores and hyphens only.',
      'phone is required for ecg.',
    ])
  })

  it('answers a repeat whatever its account is now', async () => {
    const { key } = await makeReseller()
    const body = bill({ reference: 'repeat' })
    await pay(key, body)
    expect((await pay(key, { ...body, account: ' é ' })).body.data.already_processed).toBe(true)
  })

  it('takes a null reference as none', async () => {
    const { key } = await makeReseller()
    for (const body of [bill({ reference: null }), bill({ reference: null, phone: null })]) {
      expect((await pay(key, body)).body.data.already_processed).toBeUndefined()
    }
  })

  it.each(['ecg', 'ghana_water'])('needs a phone of 10 digits for %s', async (biller) => {
    const { key } = await makeReseller()
    for (const phone of [undefined, '', '024123456', '02412345678', '+233241234567']) {
      expect((await pay(key, bill({ biller, phone }))).status).toBe(400)
    }
    const other = await makeReseller()
    for (const phone of [null, 241_234_567, {}]) expect((await pay(other.key, bill({ biller, phone }))).status).toBe(400)
    expect((await pay(key, bill({ biller, phone: '0241234567' }))).status).toBe(200)
  })

  it.each(['dstv', 'gotv', 'startimes'])('needs no phone for %s, and ignores one whatever it is', async (biller) => {
    const { key, accountId } = await makeReseller()
    expect((await pay(key, bill({ biller }))).status).toBe(200)
    expect((await pay(key, bill({ biller, phone: '12' }))).status).toBe(200)
    expect((await pay(key, bill({ biller, phone: null }))).status).toBe(200)
    expect((await pay(key, bill({ biller, phone: { a: [1] } }))).status).toBe(200)
    expect((await shop.ordersOf(accountId)).map(({ details }) => details['phone'])).toEqual([null, null, null, null])
  })

  it('tells the switch before the bounds, the window before the funds', async () => {
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

  it('takes the same biller, account and amount with another phone for the same payment', async () => {
    const { key } = await makeReseller()
    const body = bill({ biller: 'ecg', phone: '0241234567' })
    expect((await pay(key, body)).status).toBe(200)
    expect((await pay(key, { ...body, phone: '0201234567' })).headers['x-error-reason']).toBe('duplicate_payment')
  })

  it('gives every payment a reference of its own, which is not the caller’s', async () => {
    const { key } = await makeReseller()
    const paid = [await pay(key, bill({ reference: 'UTIL-DSTV-MINE' })), await pay(key, bill({ biller: 'gotv' }))]
    const references = paid.map(({ body }) => String(body.data.reference))
    expect(references).toEqual([expect.stringMatching(/^UTIL-DSTV-[A-Z2-9]{16}$/), expect.stringMatching(/^UTIL-GOTV-/)])
    expect((await lookUp(key, 'UTIL-DSTV-MINE')).status).toBe(404)
  })

  it('answers a repeat with the order as it is now, and keeps the window after a refund', async () => {
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
})

describe('GET /utilities/orders/{reference}', () => {
  it('shows a refunded payment with its reason, nothing earned, and when that happened', async () => {
    const { key } = await makeReseller()
    const body = bill()
    const { reference, order_id: orderId } = (await pay(key, body)).body.data
    const before = (await lookUp(key, reference)).body.data
    expect(before).not.toHaveProperty('reason')
    await shop.refund(orderId)
    const { data } = (await lookUp(key, reference)).body
    expect(data).toEqual({
      ...before,
      status: 'refunded',
      payment_status: 'refunded',
      commission_earned: null,
      reason: refundReasons.cancelled,
      updated_at: expect.any(String),
    })
    expect(Date.parse(data.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
  })

  it('finds the reference percent-decoded once, and exactly as it is written', async () => {
    const { key } = await makeReseller()
    const { reference } = (await pay(key, bill())).body.data
    expect((await lookUp(key, reference.replaceAll('-', '%2D'))).status).toBe(200)
    expect((await lookUp(key, reference.replaceAll('-', '%252D'))).status).toBe(404)
    expect((await lookUp(key, reference.toLowerCase())).status).toBe(404)
  })

  it('answers 404 to a payment of another account, whatever its state', async () => {
    const [owner, other] = [await makeReseller(), await makeReseller()]
    const { reference, order_id: orderId } = (await pay(owner.key, bill())).body.data
    await shop.refund(orderId)
    expect((await lookUp(other.key, reference)).status).toBe(404)
  })
})
