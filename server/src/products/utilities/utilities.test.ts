import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { findOrderId } from '../../orders/queries/read-order-history.ts'
import { newId } from '../../platform/database/new-id.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { products } from '../products.ts'
import { setUpUtilities } from './set-up-utilities.fixture.ts'
import { billerEnabled, utilitiesMaxAmount } from './utilities.settings.ts'

const { shop, bill, pay, lookUpOrder } = setUpUtilities()
const { makeCommissionReseller: makeReseller } = shop

describe('GET /utilities/billers', () => {
  it('lists the five billers with the contract’s fields, and the live bounds', async () => {
    const { key } = await makeReseller()
    const { data } = (await shop.app.call('GET', '/utilities/billers', { key })).body
    expect(data).toMatchObject({ min_amount: 1, max_amount: 1000, currency: 'GHS' })
    const rule = (biller: Record<string, unknown>) => [
      biller['key'],
      biller['enabled'],
      biller['requires_phone'],
      biller['lookup_by'],
      biller['links_phone_to_account'],
      biller['has_amount_due'],
    ]
    expect(data.billers.map(rule)).toEqual([
      ['ecg', true, true, 'phone', true, false],
      ['ghana_water', true, true, 'account', false, true],
      ['dstv', true, false, 'account', false, true],
      ['gotv', true, false, 'account', false, true],
      ['startimes', true, false, 'account', false, true],
    ])
    for (const biller of data.billers) {
      expect(biller.label).toMatch(/\w/)
      expect(biller.account_label).toMatch(/\w/)
    }
  })

  it('still lists a biller that is switched off, whose payments and look-ups then answer 503, and shows new bounds', async () => {
    const { key } = await makeReseller()
    const { db } = shop
    await writeSetting(db, billerEnabled.gotv, false, 'test')
    await writeSetting(db, utilitiesMaxAmount, 500.5, 'test')
    await shop.app.untilSeen()
    const { data } = (await shop.app.call('GET', '/utilities/billers', { key })).body
    const refused = await pay(key, bill({ biller: 'gotv' }))
    const unasked = await shop.app.call('GET', '/utilities/lookup?biller=gotv&account=123', { key })
    const other = await pay(key, bill())
    await writeSetting(db, billerEnabled.gotv, true, 'test')
    await writeSetting(db, utilitiesMaxAmount, 1_000, 'test')
    await shop.app.untilSeen()
    expect(data.max_amount).toBe(500.5)
    expect(data.billers.filter((biller: { enabled: boolean }) => !biller.enabled)).toEqual([
      expect.objectContaining({ key: 'gotv' }),
    ])
    for (const answer of [refused, unasked])
      expect(answer).toMatchObject({ status: 503, headers: { 'x-error-reason': 'feature_disabled' } })
    expect(other.status).toBe(200)
  })
})

describe('GET /utilities/lookup', () => {
  it.each([
    ['no biller', 'account=123'],
    ['a biller that does not exist', 'biller=nepa&account=123'],
    ['no account', 'biller=dstv'],
    ['an empty account', 'biller=dstv&account='],
    ['a blank account', 'biller=dstv&account=%20%20'],
    ['an account of 31 characters', `biller=dstv&account=${'1'.repeat(31)}`],
    ['a phone of 31 characters', `biller=dstv&account=1&phone=${'1'.repeat(31)}`],
    ['ECG without a phone', 'biller=ecg&account=0241234567'],
    ['Ghana Water without a phone', 'biller=ghana_water&account=123'],
    ['a phone that is none', 'biller=ecg&account=0241234567&phone=24123456'],
    ['an account with NUL', 'biller=dstv&account=1%002'],
  ])('answers 400 to %s', async (_what, query) => {
    const { key } = await makeReseller()
    expect((await shop.app.call('GET', `/utilities/lookup?${query}`, { key })).status).toBe(400)
  })

  it('answers 502, never 404, when the billing provider is unreachable', async () => {
    // In these tests nothing listens at the supplier's address.
    const { key } = await makeReseller()
    const answer = await shop.app.call('GET', '/utilities/lookup?biller=dstv&account=7021234567', { key })
    expect(answer).toMatchObject({ status: 502, headers: { 'x-error-reason': 'biller_unreachable' } })
  })
})

describe('GET /utilities/orders/{reference}', () => {
  it('shows the payment by the reference of the pay response', async () => {
    const { key } = await makeReseller()
    const body = bill()
    const { reference } = (await pay(key, body)).body.data
    expect((await lookUpOrder(key, reference)).body.data).toEqual({
      reference,
      status: 'pending',
      payment_status: 'paid',
      biller: 'dstv',
      account_number: body.account,
      account_name: '',
      amount: 20,
      commission_earned: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
  })

  it('answers 404 alike for another account’s payment, the caller’s own key, another product’s order and nothing at all', async () => {
    const { key } = await makeReseller()
    const { reference } = (await pay(key, bill({ reference: 'own-key' }))).body.data
    await shop.app.call('POST', '/airtime/purchase', {
      key,
      body: { network: 'MTN', beneficiary_phone: '0241234567', amount: 5, reference: 'airtime-order' },
    })
    const foreign = await lookUpOrder((await makeReseller()).key, reference)
    for (const answer of [
      foreign,
      await lookUpOrder(key, 'own-key'),
      await lookUpOrder(key, 'airtime-order'),
      await lookUpOrder(key, 'x'),
    ]) {
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual(foreign.body)
    }
  })

  it('is found by the operator under the same reference', async () => {
    const { key } = await makeReseller()
    const { reference, order_id: orderId } = (await pay(key, bill())).body.data
    expect(await findOrderId(shop.db, products, reference)).toBe(orderId)
  })

  it('carries the name that this reseller’s own look-up found, and nobody else’s', async () => {
    const [looked, other] = [await makeReseller(), await makeReseller()]
    const body = bill()
    await sql`insert into looked_up_accounts (account_id, biller, account_number, account_name)
      values (${looked.accountId}, 'dstv', ${body.account}, 'AMA MENSAH')`.execute(shop.db)
    const named = (await pay(looked.key, body)).body.data.reference
    const unnamed = (await pay(other.key, body)).body.data.reference
    expect((await lookUpOrder(looked.key, named)).body.data.account_name).toBe('AMA MENSAH')
    expect((await lookUpOrder(other.key, unnamed)).body.data.account_name).toBe('')
  })
})

describe('account_name of a payment', () => {
  /** Records suppliers' answers about an order, oldest first. Each list is one attempt. */
  async function hear(orderId: string, ...attempts: (string | null)[][]): Promise<void> {
    for (const [index, names] of attempts.entries()) {
      const id = newId()
      const attempt = { id, order_id: orderId, attempt_no: index + 1, supplier: 'hubtel', outgoing_reference: id }
      await shop.db
        .insertInto('attempts')
        .values({ ...attempt, send_before: new Date(), outcome: 'throttled', supplier_reference: null, answered_at: null })
        .execute()
      for (const name of names) {
        await sql`insert into attempt_answers (attempt_id, source, answer, evidence, account_name)
          values (${id}, 'callback', 'accepted', '', ${name})`.execute(shop.db)
      }
    }
  }

  it.each<[string, string, string, (string | null)[][]]>([
    ['what the look-up said while the biller names nobody with the payment', 'LOOKED UP', 'LOOKED UP', [[null], [null, null]]],
    ['the biller’s word with the payment rather than the look-up’s', 'PAID', 'LOOKED UP', [[null, 'PAID', null]]],
    ['the biller’s word with the payment when nothing was looked up', 'PAID', '', [['PAID']]],
    [
      'the biller’s newest word, of whichever attempt',
      'THIRD',
      'LOOKED UP',
      [
        ['FIRST', 'SECOND'],
        ['THIRD', null],
      ],
    ],
    ['nothing while nobody was named', '', '', [[null]]],
    ['a strange name as text', "'); drop table orders; -- <script>", '', [["'); drop table orders; -- <script>"]]],
  ])('is %s', async (_what, shown, lookedUp, said) => {
    const { key, accountId } = await makeReseller()
    const body = bill()
    if (lookedUp !== '') {
      await sql`insert into looked_up_accounts (account_id, biller, account_number, account_name)
        values (${accountId}, 'dstv', ${body.account}, ${lookedUp})`.execute(shop.db)
    }
    const { reference, order_id: orderId } = (await pay(key, body)).body.data
    const another = (await pay(key, bill())).body.data
    await hear(orderId, ...said)
    expect((await lookUpOrder(key, reference)).body.data.account_name).toBe(shown)
    expect((await lookUpOrder(key, another.reference)).body.data.account_name).toBe('')
  })
})

describe('the keys of utilities', () => {
  it('are commission keys only', async () => {
    const { standardKey } = await makeReseller()
    for (const [method, path] of [
      ['GET', '/utilities/billers'],
      ['GET', '/utilities/lookup?biller=dstv&account=1'],
      ['POST', '/utilities/pay'],
      ['GET', '/utilities/orders/x'],
    ] as const) {
      const answer = await shop.app.call(method, path, { key: standardKey, ...(method === 'POST' ? { body: bill() } : {}) })
      expect(answer).toMatchObject({ status: 403, headers: { 'x-error-reason': 'wrong_key_type' } })
    }
  })
})
