import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { setUpUtilities } from './set-up-utilities.fixture.ts'
import { billerEnabled, utilitiesEnabled, utilitiesMinAmount } from './utilities.settings.ts'

const { shop, balance, newSmartcard, bill, pay } = setUpUtilities()
const { makeCommissionReseller: makeReseller, ordersOf } = shop

/** Makes the account's payments look so many seconds older. */
const age = (accountId: string, seconds: number) =>
  sql`update orders set created_at = created_at - make_interval(secs => ${seconds}) where account_id = ${accountId}`.execute(
    shop.app.database.ownerDb,
  )

describe('POST /utilities/pay with a reference', () => {
  it('200: answers a repeat with the small form and charges nothing', async () => {
    const reseller = await makeReseller()
    const body = bill({ reference: 'Bill_1.a-b' })
    const first = await pay(reseller.key, body)
    const again = await pay(reseller.key, body, shop.second)
    expect(again.status).toBe(200)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body.data).toEqual({
      reference: first.body.data.reference,
      order_id: first.body.data.order_id,
      status: 'pending',
      already_processed: true,
    })
    expect(await balance(reseller)).toBe(980)
  })

  it('200: returns the original order without re-validating, whatever else the repeat says', async () => {
    const reseller = await makeReseller()
    const body = bill({ reference: 'pure-key' })
    const { order_id: orderId } = (await pay(reseller.key, body)).body.data
    for (const change of [
      { biller: 'gotv' },
      { account: newSmartcard() },
      { amount: 21 },
      { amount: 1_000_000 },
      { amount: -1 },
      { amount: 'nonsense' },
      { amount: 1.234 },
      { biller: 'nepa' },
      { biller: 'ecg' },
      { account: '' },
      { account: 'x'.repeat(500) },
    ]) {
      const answer = await pay(reseller.key, { ...body, ...change })
      expect(answer).toMatchObject({ status: 200, body: { data: { order_id: orderId, already_processed: true } } })
    }
    expect((await pay(reseller.key, { reference: 'pure-key' })).body.data.order_id).toBe(orderId)
    expect(await ordersOf(reseller.accountId)).toHaveLength(1)
    expect(await balance(reseller)).toBe(980)
  })

  it('200: belongs to the account and the service alone', async () => {
    const [one, other] = [await makeReseller(), await makeReseller()]
    const body = bill({ reference: 'same-word' })
    const first = await pay(one.key, body)
    const second = await pay(other.key, body)
    expect(second.status).toBe(200)
    expect(second.body.data.order_id).not.toBe(first.body.data.order_id)
    const airtime = { network: 'MTN', beneficiary_phone: '0241234567', amount: 5, reference: 'same-word' }
    expect((await shop.app.call('POST', '/airtime/purchase', { key: one.key, body: airtime })).status).toBe(200)
  })

  it('200: ends equal and different requests racing on two processes in one order and one debit', async () => {
    const reseller = await makeReseller()
    const bodies = Array.from({ length: 40 }, (_, index) => bill({ reference: 'race', amount: 10 + (index % 3) }))
    const answers = await Promise.all(
      bodies.map((body, index) => retryWhileOverloaded(() => pay(reseller.key, body, index % 2 ? shop.app : shop.second))),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.data.order_id)).size).toBe(1)
    expect(answers.filter((answer) => answer.body.data.already_processed === undefined)).toHaveLength(1)
    const [order] = await ordersOf(reseller.accountId)
    expect(await balance(reseller)).toBe(1_000 - (order?.price ?? 0) / 100)
  })

  it('200: is never answered with a 4xx or 503 once an order was placed under it, whatever has changed since', async () => {
    const reseller = await makeReseller({ balancePesewas: 2_000 })
    const body = bill({ reference: 'cut-connection' })
    const first = await pay(reseller.key, body)
    const { db } = shop
    await writeSetting(db, utilitiesMinAmount, 100, 'test')
    await shop.app.untilSeen()
    const afterBounds = await pay(reseller.key, body)
    await writeSetting(db, billerEnabled.dstv, false, 'test')
    await shop.app.untilSeen()
    const afterBiller = await pay(reseller.key, body, shop.second)
    await writeSetting(db, utilitiesEnabled, false, 'test')
    await shop.app.untilSeen()
    const afterAll = await pay(reseller.key, body)
    await writeSetting(db, utilitiesMinAmount, 1, 'test')
    await writeSetting(db, billerEnabled.dstv, true, 'test')
    await writeSetting(db, utilitiesEnabled, true, 'test')
    await shop.app.untilSeen()
    for (const answer of [afterBounds, afterBiller, afterAll]) {
      expect(answer).toMatchObject({
        status: 200,
        body: { data: { order_id: first.body.data.order_id, already_processed: true } },
      })
    }
  })

  it('400, then 200: stays free after a refusal', async () => {
    const reseller = await makeReseller()
    expect((await pay(reseller.key, bill({ reference: 'again', amount: 0.5 }))).status).toBe(400)
    expect((await pay(reseller.key, bill({ reference: 'again' }))).body.data.already_processed).toBeUndefined()
  })
})

describe('POST /utilities/pay within 30 seconds', () => {
  it('409: charges nothing for the same biller, account and amount without a reference', async () => {
    const reseller = await makeReseller()
    const body = bill()
    await pay(reseller.key, body)
    expect(await pay(reseller.key, body, shop.second)).toMatchObject({
      status: 409,
      headers: { 'x-error-reason': 'duplicate_payment' },
    })
    expect(await balance(reseller)).toBe(980)
    expect(await ordersOf(reseller.accountId)).toHaveLength(1)
  })

  it('409: says how long the rest of the window is, rounded up, and that nothing was placed', async () => {
    const reseller = await makeReseller()
    const body = bill()
    await pay(reseller.key, body)
    const secondsLeft = async () => {
      const { rows } = await sql<{ left: number }>`
        select 30 - extract(epoch from clock_timestamp() - created_at)::float8 as left
        from orders where account_id = ${reseller.accountId}`.execute(shop.db)
      return rows[0]?.left ?? 0
    }
    /** Pays again, and compares the answer with the database's clock before and after. */
    const refused = async () => {
      const before = await secondsLeft()
      const answer = await pay(reseller.key, body)
      const said = Number(answer.headers['retry-after'])
      // The server calculates `retry-after` from whole milliseconds.
      expect(said).toBeLessThanOrEqual(Math.ceil(before + 0.001))
      expect(said).toBeGreaterThanOrEqual(Math.ceil((await secondsLeft()) - 0.001))
      return answer
    }
    expect((await refused()).body.error.message).toMatch(/placed no payment and charged nothing/)
    await age(reseller.accountId, 15)
    expect(Number((await refused()).headers['retry-after'])).toBeLessThanOrEqual(15)
  })

  it('409: refuses a new reference too, which stays free, and no reference after one', async () => {
    const reseller = await makeReseller()
    const body = bill()
    await pay(reseller.key, { ...body, reference: 'window-1' })
    expect((await pay(reseller.key, { ...body, reference: 'window-2' })).status).toBe(409)
    expect((await pay(reseller.key, body)).status).toBe(409)
    expect((await pay(reseller.key, { ...body, reference: 'window-1' })).status).toBe(200)
    expect((await pay(reseller.key, { ...bill(), reference: 'window-2' })).body.data.already_processed).toBeUndefined()
  })

  it('200: takes another biller, account, amount or reseller for another payment', async () => {
    const reseller = await makeReseller()
    const body = bill()
    await pay(reseller.key, body)
    for (const change of [{ biller: 'gotv' }, { account: newSmartcard() }, { amount: 20.01 }])
      expect((await pay(reseller.key, { ...body, ...change })).status).toBe(200)
    expect((await pay((await makeReseller()).key, body)).status).toBe(200)
  })

  it('200 or 409: accepts exactly one of 40 equal payments racing on two processes, with and without references', async () => {
    const reseller = await makeReseller({ balancePesewas: 1_000_000 })
    for (let round = 0; round < 5; round += 1) {
      const body = bill()
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          retryWhileOverloaded(() =>
            pay(
              reseller.key,
              index % 4 < 2 ? body : { ...body, reference: `r-${round}-${index}` },
              index % 2 ? shop.app : shop.second,
            ),
          ),
        ),
      )
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
      expect(answers.filter((answer) => answer.status === 409)).toHaveLength(39)
    }
    expect(await ordersOf(reseller.accountId)).toHaveLength(5)
    expect(await balance(reseller)).toBe(9_900)
  })

  it('409, then 200: ends by the database’s clock after 30 seconds, not before', async () => {
    const reseller = await makeReseller()
    const body = bill()
    await pay(reseller.key, body)
    await age(reseller.accountId, 28)
    expect((await pay(reseller.key, body)).status).toBe(409)
    await age(reseller.accountId, 2.1)
    expect((await pay(reseller.key, body)).status).toBe(200)
    expect((await pay(reseller.key, body)).status).toBe(409)
  })
})
