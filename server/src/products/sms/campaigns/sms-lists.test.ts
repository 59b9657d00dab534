import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { approveSender, type SmsBench, type SmsReseller, until, useSmsBench } from '../sms-bench.fixture.ts'
import { decideSender } from './decide-sender.ts'

let bench: SmsBench

useSmsBench((started) => {
  bench = started
})

const fresh = (ending?: string) => bench.freshNumber(ending)
const international = (number: string) => `233${number.slice(1)}`
const message = 'Your order is ready.'
const creditsOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/balance')).body.data.credits as number
const deliveryOf = async (reseller: SmsReseller, id: string) =>
  (await bench.get(reseller, `/sms/messages/${id}`)).body.data.delivery

describe('delivery', () => {
  it('reports arrive asynchronously: delivered, undelivered, expired, and an awkward one', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipients = [fresh(), fresh('922'), fresh('923'), fresh('924'), fresh('921')]
    const { body } = await bench.send(reseller, { message, recipients })
    const id = body.data.campaignId as string
    await until('all are reported', async () => !('sent' in (await deliveryOf(reseller, id))))
    const { data } = (await bench.get(reseller, `/sms/messages/${id}`)).body
    expect(data.messages.map(({ status }: { status: string }) => status)).toEqual([
      'delivered',
      'undelivered',
      'expired',
      'delivered',
      'failed',
    ])
    expect(data.delivery).toEqual({ delivered: 2, undelivered: 1, expired: 1, failed: 1 })
    expect(data.campaign).toMatchObject({ id, sender_used: 'Makola', credits_charged: 5, status: 'completed' })
    expect(await creditsOf(reseller)).toBe(996)
  })

  it.each([
    ['decimal ids in receipts', { receiptIds: 'decimal' }],
    ['TLVs only', { receiptForm: 'tlv' }],
    ['both', { receiptIds: 'decimal', receiptForm: 'tlv' }],
  ])('is matched with %s, and a text of several parts is delivered when all parts are', async (_what, behaviour) => {
    await bench.smsc('POST', '/control/smsc', behaviour)
    const reseller = await bench.makeSmsReseller()
    const { body } = await bench.send(reseller, { message: 'long '.repeat(80), recipients: [fresh(), fresh('922')] })
    const id = body.data.campaignId as string
    await until('both are reported', async () => !('sent' in (await deliveryOf(reseller, id))))
    expect(await deliveryOf(reseller, id)).toEqual({ delivered: 1, undelivered: 1 })
  })

  it('the operator’s throttling and full queues slow a send down but lose nothing', async () => {
    await bench.smsc('POST', '/control/smsc', { perSecond: 30, fullQueues: 3 })
    const reseller = await bench.makeSmsReseller()
    const recipients = Array.from({ length: 60 }, () => fresh())
    const { body } = await bench.send(reseller, { message, recipients })
    expect(body.data).toMatchObject({ sent: 60, failed: 0, status: 'completed' })
  })
})

describe('GET /sms/senders', () => {
  it('lists own and pool senders with the default and the mode', async () => {
    const reseller = await bench.makeSmsReseller()
    expect((await bench.get(reseller, '/sms/senders')).body.data).toEqual({
      mode: 'pool',
      defaultSender: 'Makola',
      senders: [{ sender: 'Makola', type: 'pool', isDefault: true }],
    })
    await approveSender(bench, reseller.accountId, 'KofiShop')
    expect((await bench.get(reseller, '/sms/senders')).body.data).toEqual({
      mode: 'own',
      defaultSender: 'KofiShop',
      senders: [
        { sender: 'KofiShop', type: 'own', isDefault: true },
        { sender: 'Makola', type: 'pool', isDefault: false },
      ],
    })
    await inTransaction(bench.app.database.db, (tx) =>
      decideSender(tx, { accountId: reseller.accountId, sender: 'KofiShop', status: 'rejected', actor: 'test' }),
    )
    expect((await bench.get(reseller, '/sms/senders')).body.data.mode).toBe('pool')
  })
})

describe('GET /sms/balance', () => {
  it('shows credits as purchased less used, with mode and account status', async () => {
    const reseller = await bench.makeSmsReseller(50)
    await bench.send(reseller, { message, recipients: [fresh(), fresh('921')] })
    expect((await bench.get(reseller, '/sms/balance')).body.data).toEqual({
      credits: 49,
      totalPurchased: 50,
      totalUsed: 1,
      mode: 'pool',
      accountStatus: 'active',
    })
  })
})

describe('GET /sms/campaigns', () => {
  it('pages 30 at a time, newest first, and filters by status and by whole days in Accra', async () => {
    const reseller = await bench.makeSmsReseller()
    const { db } = bench.app.database
    await Promise.all(
      Array.from({ length: 31 }, (_, n) => bench.send(reseller, { message, recipients: fresh(n === 0 ? '921' : '000') })),
    )
    const page = async (query: string) => (await bench.get(reseller, `/sms/campaigns?${query}`)).body.data
    const [first, second, third] = [await page('page=0'), await page('page=1'), await page('page=2')]
    expect([first.campaigns.length, second.campaigns.length, third.campaigns.length]).toEqual([30, 1, 0])
    expect([first.page, second.page]).toEqual([0, 1])
    const ids = [...first.campaigns, ...second.campaigns].map(({ id }: { id: string }) => id)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect((await page('status=failed')).campaigns).toHaveLength(1)
    expect(first.campaigns[0]).toEqual({
      id: expect.any(String),
      status: 'completed',
      recipients_count: 1,
      segments: 1,
      credits_charged: 1,
      sender_used: 'Makola',
      source: 'api',
      scheduled_at: null,
      created_at: expect.stringMatching(/Z$/),
    })
    const [last, day] = [ids.at(-1) ?? '', '2026-01-31']
    await db
      .updateTable('sms_campaigns')
      .set({ created_at: new Date(`${day}T23:59:59.999Z`) })
      .where('id', '=', last)
      .execute()
    expect((await page(`from=${day}&to=${day}`)).campaigns.map(({ id }: { id: string }) => id)).toEqual([last])
    expect((await page('from=2026-01-30&to=2026-01-30')).campaigns).toEqual([])
    expect((await page('from=2026-02-01')).campaigns).toHaveLength(30)
  })

  it.each([
    'page=-1',
    'page=1.5',
    'status=sent',
    'from=2026-13-01',
    'from=yesterday',
    'from=2026-02-01&to=2026-01-31',
    'page=1e300',
  ])('answers 400 for %s', async (query) => {
    const reseller = await bench.makeSmsReseller(0)
    expect((await bench.get(reseller, `/sms/campaigns?${query}`)).status).toBe(400)
  })
})

describe('GET /sms/messages/{id}', () => {
  it('pages exactly 100 rows, counts the whole campaign, and filters by status', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipients = Array.from({ length: 205 }, (_, n) => `0209${String(n).padStart(3, '0')}${n === 7 ? '921' : '000'}`)
    const id = (await bench.send(reseller, { message, recipients })).body.data.campaignId as string
    const page = async (query: string) => (await bench.get(reseller, `/sms/messages/${id}?${query}`)).body.data
    const pages = [await page('page=0'), await page('page=1'), await page('page=2')]
    expect(pages.map(({ messages }) => messages.length)).toEqual([100, 100, 5])
    expect(pages.flatMap(({ messages }) => messages.map(({ recipient }: { recipient: string }) => recipient))).toEqual(
      recipients.map(international),
    )
    expect(Object.values(pages[2].delivery as Record<string, number>).reduce((a, b) => a + b)).toBe(205)
    expect((await page('status=failed')).messages).toMatchObject([
      { recipient: international(recipients[7] ?? ''), status: 'failed' },
    ])
  })

  it('answers 404 for another account’s campaign as for one that does not exist, and 400 for what is no id', async () => {
    const [one, other] = [await bench.makeSmsReseller(), await bench.makeSmsReseller()]
    const id = (await bench.send(one, { message, recipients: fresh() })).body.data.campaignId as string
    const foreign = await bench.get(other, `/sms/messages/${id}`)
    const missing = await bench.get(other, '/sms/messages/0190a000-0000-7000-8000-000000000000')
    expect([foreign.status, missing.status]).toEqual([404, 404])
    expect(foreign.body.error).toEqual(missing.body.error)
    expect((await bench.get(one, '/sms/messages/not-an-id')).status).toBe(400)
  })
})
