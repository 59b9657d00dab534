import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeKeyRules } from '../../../test/describe-key-rules.ts'
import { rateLimitsSetting } from '../../all-settings.ts'
import { creditWallet } from '../../money/credit-wallet.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { writeReceipts } from './link/write-receipts.ts'
import { type SmsBench, type SmsReseller, until, useSmsBench } from './sms-bench.fixture.ts'

let bench: SmsBench

useSmsBench((started) => {
  bench = started
})

const message = 'Your order is ready.'
const fresh = (ending?: string) => bench.freshNumber(ending)
/** Numbers whose networks nobody knows; they are refused when submitted, so nothing waits for receipts. */
const refusedNumbers = (count: number) => Array.from({ length: count }, (_, n) => `0${300_000_921 + n * 1_000}`)
const balanceOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/balance')).body.data
const campaignsOf = async (reseller: SmsReseller, query = '') =>
  (await bench.get(reseller, `/sms/campaigns${query}`)).body.data.campaigns as { id: string; status: string }[]

const endpoints = [
  ['POST', '/sms/send'],
  ['GET', '/sms/senders'],
  ['GET', '/sms/campaigns'],
  ['GET', '/sms/messages/0190a000-0000-7000-8000-000000000000'],
  ['GET', '/sms/balance'],
] as const

describeKeyRules(
  {
    get app() {
      return bench.app
    },
  },
  'sms',
  endpoints,
)

it('an SMS key works on SMS endpoints only', async () => {
  const { key } = await bench.makeSmsReseller(0)
  for (const path of [
    '/account/role',
    '/packages',
    '/wallet/balance',
    '/orders/nobody',
    '/resultschecker/types',
    '/utilities/billers',
  ]) {
    expect([path, (await bench.app.call('GET', path, { key })).status]).toEqual([path, 403])
  }
})

it('no SMS endpoint has a limit until the operator sets one', async () => {
  const { db } = bench.app.database
  const reseller = await bench.makeSmsReseller(0)
  const askAll = () =>
    Promise.all(
      endpoints.map(([method, path]) =>
        bench.app.call(method, path, { key: reseller.key, ...(method === 'POST' ? { body: {} } : {}) }),
      ),
    )
  expect((await askAll()).map(({ headers }) => headers['ratelimit-policy'])).toEqual(endpoints.map(() => undefined))
  const names = ['POST /sms/send', 'GET /sms/senders', 'GET /sms/campaigns', 'GET /sms/messages/{id}', 'GET /sms/balance']
  await writeSetting(db, rateLimitsSetting, Object.fromEntries(names.map((name) => [name, 1])), 'test')
  await bench.app.untilSeen()
  const [, second] = [await askAll(), await askAll()]
  await writeSetting(db, rateLimitsSetting, {}, 'test')
  await bench.app.untilSeen()
  expect(second.map(({ status, headers }) => [status, headers['ratelimit-policy']])).toEqual(
    names.map((name) => [429, `"${name}";q=1;w=60`]),
  )
})

describe('the body of a send', () => {
  it.each([
    ['3 characters', 'abc', 200],
    ['3 emoji', '😀😀😀', 200],
    ['2 emoji, which are 4 units', '😀😀', 400],
    ['1000 characters', 'a'.repeat(1000), 200],
    ['nothing', '', 400],
    ['a number', 12_345, 400],
    ['a NUL', 'abc\0', 400],
  ])('a message of %s', async (_what, text, status) => {
    const reseller = await bench.makeSmsReseller()
    expect((await bench.send(reseller, { message: text, recipients: fresh('921') })).status).toBe(status)
  })

  it.each(['', '241234567', '2330241234567', '00233241234567', '0241234567 ', '0241234567\n', '024-123-4567', '٠٢٤١٢٣٤٥٦٧'])(
    'answers 400 for the number %j, alone or among others',
    async (number) => {
      const reseller = await bench.makeSmsReseller()
      for (const recipients of [number, [fresh('921'), number]]) {
        expect((await bench.send(reseller, { message, recipients })).status).toBe(400)
      }
      expect([await campaignsOf(reseller), (await balanceOf(reseller)).credits]).toEqual([[], 1_000])
    },
  )

  it('names the first five wrong numbers and counts the others', async () => {
    const reseller = await bench.makeSmsReseller(0)
    const { body } = await bench.send(reseller, { message, recipients: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })
    expect(body.error.message).toContain('"a", "b", "c", "d", "e" and 2 more')
  })

  it.each([
    ['recipients must have at most 10000 entries.', refusedNumbers(10_001)],
    ['recipients must be a string or an array.', 241_000_000],
    ['recipients[1] must be a string.', ['0241000000', 241_000_000]],
  ])('says %s', async (sentence, recipients) => {
    const reseller = await bench.makeSmsReseller(0)
    expect((await bench.send(reseller, { message, recipients })).body.error).toEqual({ code: 400, message: sentence })
  })

  it('checks numbers for their shape only: one of no known prefix is sent to', async () => {
    const reseller = await bench.makeSmsReseller()
    const { body } = await bench.send(reseller, { message, recipients: ['0999999000', '233100000000'] })
    expect(body.data).toMatchObject({ recipients: 2, sent: 2 })
  })

  it('takes 10,000 recipients as sent, whether they are one number or as many', async () => {
    const reseller = await bench.makeSmsReseller(1)
    const { body } = await bench.send(reseller, { message, recipients: Array.from({ length: 10_000 }, () => '0241234921') })
    expect(body.data).toMatchObject({ recipients: 1, creditsCharged: 1 })
    expect((await bench.send(reseller, { message, recipients: refusedNumbers(10_000) })).status).toBe(402)
    expect((await bench.send(reseller, { message, recipients: refusedNumbers(10_001) })).status).toBe(400)
  })

  it('500 unique numbers are answered with their results, 501 as queued', async () => {
    const reseller = await bench.makeSmsReseller(2_000)
    const numbers = refusedNumbers(501)
    const five = numbers.slice(0, 500)
    const small = await bench.send(reseller, { message, recipients: [...five, ...five.map((number) => `233${number.slice(1)}`)] })
    expect(small.body.data).toMatchObject({ status: 'failed', recipients: 500, sent: 0, failed: 500, balance: 2_000 })
    const large = await bench.send(reseller, { message, recipients: numbers })
    expect(large.body.data).toMatchObject({
      status: 'queued',
      recipients: 501,
      sent: 0,
      failed: 0,
      creditsCharged: 501,
      balance: 1_499,
    })
    const refunded = async () => (await balanceOf(reseller)).credits === 2_000
    await until('it has settled', refunded)
  })

  it('scheduling is for the dashboard: `scheduled_at` is a field that nobody knows', async () => {
    const reseller = await bench.makeSmsReseller()
    const { body } = await bench.send(reseller, { message, recipients: fresh(), scheduled_at: '2099-01-01T00:00:00Z' })
    expect(body.data).toMatchObject({ status: 'completed', sent: 1 })
    expect(await campaignsOf(reseller)).toMatchObject([{ scheduled_at: null, source: 'api' }])
  })

  it('takes a null reference and a null sender as left out', async () => {
    const reseller = await bench.makeSmsReseller()
    const body = { message, recipients: fresh('921'), reference: null, sender: null }
    const [first, second] = [await bench.send(reseller, body), await bench.send(reseller, body)]
    expect([first.status, second.status, first.body.data.sender]).toEqual([200, 200, 'Makola'])
    expect(second.body.data.campaignId).not.toBe(first.body.data.campaignId)
  })

  it.each([[''], [5]])('answers 400 for the reference %j', async (reference) => {
    const reseller = await bench.makeSmsReseller()
    expect((await bench.send(reseller, { message, recipients: fresh('921'), reference })).status).toBe(400)
  })
})

describe('what a send costs', () => {
  it('is paid in credits, of which one is missing here: 402, whatever the wallet holds', async () => {
    const { db } = bench.app.database
    const reseller = await bench.makeSmsReseller(3)
    await inTransaction(db, (tx) => creditWallet(tx, { ...reseller, purse: 'main', amount: 100_000, actor: 'test' }))
    const body = { message: 'a'.repeat(161), recipients: [fresh('921'), fresh('921')], reference: 'poor' }
    expect((await bench.send(reseller, body)).status).toBe(402)
    expect(await campaignsOf(reseller)).toEqual([])
    await inTransaction(db, (tx) => creditWallet(tx, { ...reseller, purse: 'sms_credits', amount: 1, actor: 'test' }))
    // A refused call has left its reference free.
    expect((await bench.send(reseller, body)).body.data).toMatchObject({ segments: 2, creditsCharged: 4 })
    const { rows } = await sql`select balance from wallets where account_id = ${reseller.accountId} and purse = 'main'`.execute(
      db,
    )
    expect(rows).toEqual([{ balance: 100_000 }])
  })

  it('is shown gross by campaigns and net by the balance', async () => {
    const reseller = await bench.makeSmsReseller(10)
    await inTransaction(bench.app.database.db, (tx) =>
      creditWallet(tx, { ...reseller, purse: 'sms_credits', amount: 5, actor: 'test' }),
    )
    const text = 'ɛ'.repeat(71)
    const { body } = await bench.send(reseller, { message: text, recipients: [fresh(), fresh('921')] })
    expect(body.data).toMatchObject({ segments: 2, creditsCharged: 4, sent: 1, failed: 1, balance: 13 })
    const id = body.data.campaignId as string
    expect(await campaignsOf(reseller)).toMatchObject([{ credits_charged: 4, segments: 2, recipients_count: 2 }])
    expect((await bench.get(reseller, `/sms/messages/${id}`)).body.data.campaign).toEqual({
      id,
      sender_used: 'Makola',
      recipients_count: 2,
      segments: 2,
      credits_charged: 4,
      status: 'completed',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(await balanceOf(reseller)).toMatchObject({ credits: 13, totalPurchased: 15, totalUsed: 2 })
  })
})

describe('a receipt', () => {
  it('REJECTD is `rejected` without a refund, DELETED `undelivered`, and ACCEPTD stays `sent`', async () => {
    await bench.smsc('POST', '/control/smsc', { sendsReceipts: false })
    const { db } = bench.app.database
    const reseller = await bench.makeSmsReseller(10)
    const { body } = await bench.send(reseller, { message, recipients: [fresh(), fresh(), fresh()] })
    const id = body.data.campaignId as string
    const { rows: parts } = await sql<{ message_key: string }>`
      select message_key from sms_parts where campaign_id = ${id} order by n`.execute(db)
    const states = ['rejected', 'undelivered', 'underway'] as const
    const receipts = parts.map(({ message_key }, index) => ({
      messageId: message_key,
      recipient: undefined,
      state: states[index] ?? 'underway',
    }))
    await inTransaction(db, (tx) => writeReceipts(tx, 'smsc', receipts, 7, []))
    const read = async (query = '') => (await bench.get(reseller, `/sms/messages/${id}${query}`)).body.data
    const { delivery, messages, campaign } = await read()
    expect(messages.map(({ status }: { status: string }) => status)).toEqual(['rejected', 'undelivered', 'sent'])
    expect([delivery, campaign.status]).toEqual([{ rejected: 1, undelivered: 1, sent: 1 }, 'completed'])
    expect((await balanceOf(reseller)).credits).toBe(7)
    for (const [n, status] of ['rejected', 'undelivered', 'sent'].entries()) {
      const page = await read(`?status=${status}`)
      expect(page.messages).toEqual([
        { recipient: messages[n].recipient, status, status_updated_at: expect.stringMatching(/Z$/) },
      ])
      // Of the whole campaign, whatever is listed.
      expect(page.delivery).toEqual(delivery)
    }
    expect(await read('?page=1')).toMatchObject({ page: 1, messages: [], delivery })
  })
})
