import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeKeyFor } from '../../../test/make-account.ts'
import { setUpShop } from '../../../test/set-up-shop.ts'
import { type Answer, startTestApp, type TestApp } from '../../../test/start-test-app.ts'
import { purgeLookedUpAccounts } from './look-up-bill-account.ts'

/** A server that answers as Hubtel, with each test's answers. */
let biller: Server
let app: TestApp
let asked: URLSearchParams[] = []
let words: { status: number; body: string }

/** The time limit of a call, longer than a busy machine stalls. The test of a silent biller waits so long. */
const simulatorCallSeconds = 8

/** With this body, the server accepts a request and never answers it. */
const silence = 'silence'
const say = (code: string, message: string, data: unknown = null, status = 200) => {
  words = { status, body: JSON.stringify({ ResponseCode: code, Message: message, Label: 'x', Data: data }) }
}
const facts = (more: Record<string, string> = {}) =>
  Object.entries({ name: 'AMA OWUSU', amountDue: '12.50', ...more }).map(([Display, Value]) => ({ Display, Value, Amount: 0 }))

beforeAll(async () => {
  biller = createServer((request, response) => {
    asked = [...asked, new URL(request.url ?? '', 'http://biller').searchParams]
    if (words.body === silence) return
    response.writeHead(words.status, { 'content-type': 'application/json' }).end(words.body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => biller.once('listening', resolve))
  const simulatorUrl = `http://127.0.0.1:${(biller.address() as AddressInfo).port}`
  app = await startTestApp({ simulatorUrl, simulatorCallSeconds })
})
beforeEach(() => {
  asked = []
})
afterAll(async () => {
  await app.close()
  biller.closeAllConnections()
  biller.close()
})

async function makeKey(): Promise<string> {
  const { accountId } = await app.makeReseller()
  return makeKeyFor(app.database.db, accountId, 'commission')
}

const lookUp = (key: string, query: Record<string, string>): Promise<Answer> =>
  app.call('GET', `/utilities/lookup?${new URLSearchParams(query).toString()}`, { key })
const phone = '0241234567'

describe('GET /utilities/lookup', () => {
  it.each([
    ['ghana_water', { phone }],
    ['dstv', {}],
    ['gotv', {}],
    ['startimes', {}],
  ])('200: answers what %s says about the account, with empty meters', async (name, more) => {
    say('0000', 'Successful', facts({ account: '7020001234', sessionId: 's' }))
    const { status, body } = await lookUp(await makeKey(), { biller: name, account: '7020001234', ...more })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      account_name: 'AMA OWUSU',
      account_number: '7020001234',
      amount_due: 12.5,
      bouquet: null,
      meters: [],
    })
  })

  it('200: answers a bouquet, and a credit balance as a negative amount due', async () => {
    say('0000', 'Successful', facts({ amountDue: '-3.2', Bouquet: 'Nova' }))
    const { body } = await lookUp(await makeKey(), { biller: 'startimes', account: '7020001234' })
    expect(body.data).toMatchObject({ amount_due: -3.2, bouquet: 'Nova', account_number: null })
  })

  it('200: answers null where the biller says nothing', async () => {
    say('0000', 'Successful', [{ Display: 'name', Value: 'AMA OWUSU' }])
    const { body } = await lookUp(await makeKey(), { biller: 'dstv', account: '7020001234' })
    expect(body.data).toMatchObject({ account_name: 'AMA OWUSU', account_number: null, amount_due: null, bouquet: null })
  })

  it('200: runs on the phone for ECG, whatever the account is, and answers the meters with all else null', async () => {
    say('0000', 'Successful', [
      { Display: ' AMA OWUSU (G1)', Value: ' G 1 ', Amount: -45.67 },
      { Display: 'KOFI MENSAH (G2)', Value: 'G2', Amount: 10 },
    ])
    const key = await makeKey()
    for (const account of [phone, 'G1', 'Mama Esi']) {
      const { body } = await lookUp(key, { biller: 'ecg', account, phone })
      expect(body.data).toEqual({
        account_name: null,
        account_number: null,
        amount_due: null,
        bouquet: null,
        meters: [
          { name: 'AMA OWUSU', meterNumber: 'G1', outstanding: -45.67 },
          { name: 'KOFI MENSAH', meterNumber: 'G2', outstanding: 10 },
        ],
      })
    }
    expect(asked.map(String)).toEqual(Array.from({ length: 3 }, () => 'destination=233241234567'))
  })

  it('200: ignores the phone for television, and asks Ghana Water with it', async () => {
    say('0000', 'Successful', facts())
    const key = await makeKey()
    expect((await lookUp(key, { biller: 'dstv', account: '70', phone: 'no phone' })).status).toBe(200)
    expect((await lookUp(key, { biller: 'ghana_water', account: '70', phone })).status).toBe(200)
    expect(asked.map(String)).toEqual(['destination=70', 'destination=70&mobile=233241234567'])
  })

  it('200: takes an account and a phone of 30 characters', async () => {
    say('0000', 'Successful', facts())
    const query = { biller: 'dstv', account: '7'.repeat(30), phone: '0'.repeat(30) }
    expect((await lookUp(await makeKey(), query)).status).toBe(200)
    expect(asked.map(String)).toEqual([`destination=${'7'.repeat(30)}`])
  })

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
  ])('400: refuses %s', async (_what, query) => {
    const key = await makeKey()
    expect((await app.call('GET', `/utilities/lookup?${query}`, { key })).status).toBe(400)
  })

  it.each([
    ['the biller’s word that there is none', () => say('2001', 'Account not found')],
    ['a validation error of the meter', () => say('4010', 'Invalid meter number', null, 400)],
    ['an empty list', () => say('0000', 'Successful', [])],
  ])('404: is the answer to %s', async (_what, speak) => {
    speak()
    const key = await makeKey()
    for (const query of [
      { biller: 'ecg', account: phone, phone },
      { biller: 'ghana_water', account: '70', phone },
      { biller: 'dstv', account: '70' },
    ]) {
      expect(await lookUp(key, query)).toMatchObject({ status: 404, headers: { 'x-error-reason': 'bill_account_not_found' } })
    }
  })

  it.each([
    ['a failure behind the supplier', () => say('0005', 'The account was not found behind us')],
    ['our own empty deposit', () => say('4075', 'Insufficient prepaid balance')],
    ['our own refused credentials', () => say('4101', 'Unauthorised', null, 401)],
    ['an error page that says not found', () => (words = { status: 404, body: '<h1>Not found</h1>' })],
    ['a failure of the server', () => (words = { status: 502, body: '<h1>Bad gateway</h1>' })],
    ['silence', () => (words = { status: 200, body: silence })],
    ['half an answer', () => (words = { status: 200, body: '{"ResponseCode":"0000","Data":[' })],
  ])('502: is the answer to %s, never 404, and says nothing of the supplier', async (_what, speak) => {
    speak()
    const answer = await lookUp(await makeKey(), { biller: 'dstv', account: '70' })
    expect(answer).toMatchObject({ status: 502, headers: { 'x-error-reason': 'biller_unreachable', 'retry-after': '5' } })
    expect(answer.body.error.message).not.toMatch(/hubtel|insufficient|credential|unauthor|<h1>/i)
  })

  it('200: keeps the name for the caller’s later payments of that account or meter, and for nobody else’s', async () => {
    const [key, other] = [await makeKey(), await makeKey()]
    say('0000', 'Successful', [{ Display: ' AMA OWUSU (G1)', Value: 'G1', Amount: 0 }])
    await lookUp(key, { biller: 'ecg', account: phone, phone })
    say('0000', 'Successful', facts({ name: 'KOFI MENSAH' }))
    await lookUp(key, { biller: 'gotv', account: '7020001234' })
    const nameOf = async (who: string, body: object) => {
      const { reference } = (await app.call('POST', '/utilities/pay', { key: who, body: { amount: 20, ...body } })).body.data
      return (await app.call('GET', `/utilities/orders/${reference}`, { key: who })).body.data.account_name
    }
    const meter = { biller: 'ecg', account: 'G1', phone }
    expect(await nameOf(key, meter)).toBe('AMA OWUSU')
    expect(await nameOf(key, { biller: 'gotv', account: '7020001234' })).toBe('KOFI MENSAH')
    expect(await nameOf(key, { biller: 'dstv', account: '7020001234' })).toBe('')
    expect(await nameOf(other, meter)).toBe('')
  })

  it('200: forgets a name that nobody looked up for 90 days; payments made before have kept it', async () => {
    const key = await makeKey()
    const pay = async (amount: number) =>
      (await app.call('POST', '/utilities/pay', { key, body: { biller: 'gotv', account: '7020001234', amount } })).body.data
        .reference
    const nameOf = async (reference: string) =>
      (await app.call('GET', `/utilities/orders/${reference}`, { key })).body.data.account_name
    const age = (days: number) =>
      sql`update looked_up_accounts set looked_up_at = looked_up_at - make_interval(days => ${days})`.execute(app.database.db)
    say('0000', 'Successful', facts({ name: 'KOFI MENSAH' }))
    await lookUp(key, { biller: 'gotv', account: '7020001234' })
    await age(89)
    await purgeLookedUpAccounts(app.database.db)
    const before = await pay(20)
    expect(await nameOf(before)).toBe('KOFI MENSAH')
    await age(2)
    await purgeLookedUpAccounts(app.database.db)
    expect(await nameOf(await pay(21))).toBe('')
    expect(await nameOf(before)).toBe('KOFI MENSAH')
  })

  it('200: moves no money', async () => {
    const { accountId, key: standardKey } = await app.makeReseller()
    const key = await makeKeyFor(app.database.db, accountId, 'commission')
    say('0000', 'Successful', facts())
    await lookUp(key, { biller: 'dstv', account: '70' })
    expect((await app.call('GET', '/wallet/balance', { key: standardKey })).body.data.balance).toBe(1_000)
  })
})

describe('a look-up where nobody listens', () => {
  const shop = setUpShop()

  it('502: is the answer when the billing provider is unreachable, never 404', async () => {
    const { key } = await shop.makeCommissionReseller()
    const answer = await shop.app.call('GET', '/utilities/lookup?biller=dstv&account=7021234567', { key })
    expect(answer).toMatchObject({ status: 502, headers: { 'x-error-reason': 'biller_unreachable' } })
  })
})
