import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { findOrderId } from '../../orders/queries/read-order-history.ts'
import { refundReasons } from '../../orders/settlement/explain-refund.ts'
import { newId } from '../../platform/database/new-id.ts'
import { products } from '../products.ts'
import { setUpUtilities } from './set-up-utilities.fixture.ts'

const { shop, bill, pay, lookUpOrder } = setUpUtilities()
const { makeCommissionReseller: makeReseller } = shop

describe('GET /utilities/orders/{reference}', () => {
  it('200: shows the payment by the reference of the pay response', async () => {
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

  it('200: shows a refunded payment with its reason, nothing earned, and when that happened', async () => {
    const { key } = await makeReseller()
    const body = bill()
    const { reference, order_id: orderId } = (await pay(key, body)).body.data
    const before = (await lookUpOrder(key, reference)).body.data
    expect(before).not.toHaveProperty('reason')
    await shop.refund(orderId)
    const { data } = (await lookUpOrder(key, reference)).body
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

  it('200 or 404: finds the reference percent-decoded once, and exactly as it is written', async () => {
    const { key } = await makeReseller()
    const { reference } = (await pay(key, bill())).body.data
    const ask = (path: string) => shop.app.call('GET', `/utilities/orders/${path}`, { key })
    expect((await ask(reference.replaceAll('-', '%2D'))).status).toBe(200)
    expect((await ask(reference.replaceAll('-', '%252D'))).status).toBe(404)
    expect((await lookUpOrder(key, reference.toLowerCase())).status).toBe(404)
  })

  it('404: answers alike for another account’s payment, the caller’s own key, another product’s order and nothing at all', async () => {
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

  it('404: finds no payment of another account, whatever its state', async () => {
    const [owner, other] = [await makeReseller(), await makeReseller()]
    const { reference, order_id: orderId } = (await pay(owner.key, bill())).body.data
    await shop.refund(orderId)
    expect((await lookUpOrder(other.key, reference)).status).toBe(404)
  })

  it('200: is asked by the reference under which the operator finds the order too', async () => {
    const { key } = await makeReseller()
    const { reference, order_id: orderId } = (await pay(key, bill())).body.data
    expect(await findOrderId(shop.db, products, reference)).toBe(orderId)
  })

  it('200: carries the name that this reseller’s own look-up found, and nobody else’s', async () => {
    const [looked, other] = [await makeReseller(), await makeReseller()]
    const body = bill()
    await sql`insert into looked_up_accounts (account_id, biller, account_number, account_name)
      values (${looked.accountId}, 'dstv', ${body.account}, 'AMA MENSAH')`.execute(shop.db)
    const named = (await pay(looked.key, body)).body.data.reference
    const unnamed = (await pay(other.key, body)).body.data.reference
    expect((await lookUpOrder(looked.key, named)).body.data.account_name).toBe('AMA MENSAH')
    expect((await lookUpOrder(other.key, unnamed)).body.data.account_name).toBe('')
  })

  /** Records suppliers' answers about an order, oldest first. Each list is one attempt. */
  async function hear(orderId: string, ...attempts: (string | null)[][]): Promise<void> {
    for (const [index, names] of attempts.entries()) {
      const attempt = { order_id: orderId, attempt_no: index + 1, supplier: 'hubtel', outgoing_reference: newId() }
      await shop.db
        .insertInto('attempts')
        .values({ ...attempt, send_before: new Date(), outcome: 'throttled', supplier_reference: null, answered_at: null })
        .execute()
      for (const name of names) {
        await sql`insert into attempt_answers (order_id, attempt_no, source, answer, evidence, account_name)
          values (${orderId}, ${index + 1}, 'callback', 'accepted', '', ${name})`.execute(shop.db)
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
  ])('200: account_name is %s', async (_what, shown, lookedUp, said) => {
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
