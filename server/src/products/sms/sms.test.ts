import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, makeKeyFor } from '../../../test/makers.ts'
import { readWallet } from '../../money/read-wallet.ts'
import { listOrdersById } from '../../orders/order.ts'
import { refundByPerson } from '../../orders/refund-by-person.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { decideSender, requestSender } from './decide-sender.ts'
import { smsEnabled } from './sms.settings.ts'
import { type SmsBench, type SmsReseller, startSmsBench, until } from './sms-bench.fixture.ts'

let bench: SmsBench
beforeAll(async () => {
  bench = await startSmsBench()
  await bench.startWorker()
})
afterEach(async () => {
  await bench.smsc('DELETE', '/control/smsc')
})
afterAll(() => bench.close())

const fresh = (ending?: string) => bench.freshNumber(ending)
const international = (number: string) => `233${number.slice(1)}`
const message = 'Your order is ready.'
const creditsOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/balance')).body.data.credits as number
const deliveryOf = async (reseller: SmsReseller, id: string) =>
  (await bench.get(reseller, `/sms/messages/${id}`)).body.data.delivery

async function approveSender(accountId: string, sender: string): Promise<void> {
  await inTransaction(bench.app.database.db, async (tx) => {
    await requestSender(tx, { accountId, sender, actor: 'test' })
    await decideSender(tx, { accountId, sender, status: 'approved', actor: 'test' })
  })
}

describe('POST /sms/send', () => {
  it('sends 500 recipients or fewer at once and returns per-send results', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipients = [fresh(), fresh('921'), fresh()]
    const { status, body } = await bench.send(reseller, { message, recipients })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      campaignId: expect.any(String),
      status: 'completed',
      recipients: 3,
      segments: 1,
      creditsCharged: 3,
      sender: 'Makola',
      sent: 2,
      failed: 1,
      balance: 998,
    })
    expect(await bench.textsOf(international(recipients[0] ?? ''))).toMatchObject([{ text: message, sender: 'Makola' }])
  })

  it('takes one recipient as a string', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipient = fresh()
    const { body } = await bench.send(reseller, { message, recipients: recipient })
    expect(body.data).toMatchObject({ recipients: 1, sent: 1, status: 'completed' })
  })

  it('costs segments times recipients, and long unicode arrives whole', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipients = [fresh(), fresh()]
    const text = `Mepa wo kyɛw 😀 ${'ɔ'.repeat(120)}`
    const { body } = await bench.send(reseller, { message: text, recipients })
    expect(body.data).toMatchObject({ segments: 3, creditsCharged: 6, balance: 994, sent: 2 })
    expect(await bench.textsOf(international(recipients[1] ?? ''))).toMatchObject([{ text, parts: 3 }])
  })

  it('removes duplicates after normalising both forms', async () => {
    const reseller = await bench.makeSmsReseller()
    const number = fresh()
    const { body } = await bench.send(reseller, { message, recipients: [number, international(number), number] })
    expect(body.data).toMatchObject({ recipients: 1, creditsCharged: 1 })
  })

  it('refunds rejected messages once when the campaign settles, and fails when nothing was accepted', async () => {
    const reseller = await bench.makeSmsReseller(10)
    const { body } = await bench.send(reseller, { message: 'a'.repeat(200), recipients: [fresh('921'), fresh('921')] })
    expect(body.data).toMatchObject({ status: 'failed', creditsCharged: 4, sent: 0, failed: 2, balance: 10 })
    expect((await bench.get(reseller, '/sms/balance')).body.data).toMatchObject({ credits: 10, totalPurchased: 10, totalUsed: 0 })
  })

  it('that failed cannot be refunded once more by hand, and never in money', async () => {
    const { db } = bench.app.database
    const reseller = await bench.makeSmsReseller(10)
    const { body } = await bench.send(reseller, { message, recipients: [fresh('921')] })
    const id = body.data.campaignId as string
    const order = (await listOrdersById(db, [id])).get(id)
    if (!order) throw new Error('the campaign has no order')
    expect(order.status).toBe('refunded')
    expect(await refundByPerson(db, order, 'test')).toBe(false)
    expect((await readWallet(db, { accountId: reseller.accountId, purse: 'main' })).balance).toBe(0)
    expect(await creditsOf(reseller)).toBe(10)
  })

  it('answers 402 for insufficient credits and charges nothing', async () => {
    const reseller = await bench.makeSmsReseller(1)
    const { status, headers } = await bench.send(reseller, { message, recipients: [fresh(), fresh()] })
    expect([status, headers['x-error-reason']]).toEqual([402, 'insufficient_credits'])
    expect(await creditsOf(reseller)).toBe(1)
  })

  it('answers 400 naming the first few invalid numbers, and sends and charges nothing', async () => {
    const reseller = await bench.makeSmsReseller()
    const { status, body } = await bench.send(reseller, {
      message,
      recipients: [fresh(), '+233241234567', '024 123 4567', '12345'],
    })
    expect(status).toBe(400)
    expect(body.error.message).toContain('"+233241234567", "024 123 4567", "12345"')
    expect(await creditsOf(reseller)).toBe(1_000)
  })

  it.each([
    ['a message of 2 characters', { message: 'ab' }],
    ['a message of 1001 characters', { message: 'a'.repeat(1001) }],
    ['no recipients', { recipients: [] }],
    ['10,001 recipients as sent, duplicates included', { recipients: Array.from({ length: 10_001 }, () => '0241234567') }],
    ['a reference of 101 characters', { reference: 'r'.repeat(101) }],
    ['a number as recipient', { recipients: 241234567 }],
    ['half a surrogate pair', { message: 'bad \ud83d text' }],
  ])('answers 400 for %s', async (_what, changes) => {
    const reseller = await bench.makeSmsReseller()
    const rawBody = JSON.stringify({ message, recipients: ['0241234567'], ...changes })
    expect((await bench.app.call('POST', '/sms/send', { key: reseller.key, rawBody })).status).toBe(400)
    expect(await creditsOf(reseller)).toBe(1_000)
  })

  it('counts 1000 characters by code points', async () => {
    const reseller = await bench.makeSmsReseller()
    const { body } = await bench.send(reseller, { message: '😀'.repeat(1000), recipients: fresh('921') })
    expect(body.data).toMatchObject({ segments: Math.ceil(2000 / 66) })
  })

  it('answers 400 for a sender that is neither approved for the account nor in the pool', async () => {
    const reseller = await bench.makeSmsReseller()
    const other = await bench.makeSmsReseller()
    await approveSender(other.accountId, 'OtherShop')
    await inTransaction(bench.app.database.db, (tx) =>
      requestSender(tx, { accountId: reseller.accountId, sender: 'AskedFor', actor: 'test' }),
    )
    for (const sender of ['OtherShop', 'AskedFor', 'makola', '']) {
      const { status, headers } = await bench.send(reseller, { message, recipients: fresh(), sender })
      expect([sender, status, headers['x-error-reason']]).toEqual([sender, 400, 'sender_not_approved'])
    }
    expect(await creditsOf(reseller)).toBe(1_000)
  })

  it('uses the account’s own default sender when none is named, and a named one otherwise', async () => {
    const reseller = await bench.makeSmsReseller()
    await approveSender(reseller.accountId, 'AmaStores')
    const recipient = fresh()
    const { body } = await bench.send(reseller, { message, recipients: recipient })
    expect(body.data.sender).toBe('AmaStores')
    expect(await bench.textsOf(international(recipient))).toMatchObject([{ sender: 'AmaStores' }])
    expect((await bench.send(reseller, { message, recipients: fresh(), sender: 'Makola' })).body.data.sender).toBe('Makola')
  })

  it('needs an approved business account: 403', async () => {
    const reseller = await bench.makeSmsReseller()
    await bench.app.database.db.updateTable('accounts').set({ is_business: false }).where('id', '=', reseller.accountId).execute()
    const { status, headers } = await bench.send(reseller, { message, recipients: fresh() })
    expect([status, headers['x-error-reason']]).toEqual([403, 'business_account_needed'])
  })

  it('answers 403 for a wrong key type', async () => {
    const { accountId } = await makeAccount(bench.app.database.db)
    const key = await makeKeyFor(bench.app.database.db, accountId, 'standard')
    for (const path of ['/sms/senders', '/sms/campaigns', '/sms/balance', '/sms/messages/0190a000-0000-7000-8000-000000000000']) {
      expect((await bench.app.call('GET', path, { key })).status).toBe(403)
    }
    expect((await bench.app.call('POST', '/sms/send', { key, body: { message, recipients: fresh() } })).status).toBe(403)
  })

  it('answers 503 when it is switched off, but replays and lists go on', async () => {
    const reseller = await bench.makeSmsReseller()
    const body = { message, recipients: [fresh()], reference: 'before the switch' }
    await bench.send(reseller, body)
    await writeSetting(bench.app.database.db, smsEnabled, false, 'test')
    await until('the switch is off', async () => (await bench.send(reseller, { message, recipients: fresh() })).status === 503)
    expect((await bench.send(reseller, body)).headers['idempotent-replayed']).toBe('true')
    expect((await bench.get(reseller, '/sms/campaigns')).status).toBe(200)
    await writeSetting(bench.app.database.db, smsEnabled, true, 'test')
    await until('the switch is on', async () => (await bench.send(reseller, { message, recipients: fresh() })).status === 200)
  })
})

describe('a reference', () => {
  it('returns the original campaign with no second send or charge', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipient = fresh()
    const body = { message, recipients: [recipient], reference: 'once' }
    const first = await bench.send(reseller, body)
    const second = await bench.send(reseller, body)
    expect(second.body.data).toEqual(first.body.data)
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true'])
    expect(await creditsOf(reseller)).toBe(999)
    expect(await bench.textsOf(international(recipient))).toHaveLength(1)
  })

  it('with another body answers 409 and charges nothing', async () => {
    const reseller = await bench.makeSmsReseller()
    const body = { message, recipients: [fresh()], reference: 'twice' }
    await bench.send(reseller, body)
    for (const changes of [{ message: 'Another text' }, { recipients: [fresh()] }, { sender: 'Makola' }]) {
      expect((await bench.send(reseller, { ...body, ...changes })).status).toBe(409)
    }
    expect(await creditsOf(reseller)).toBe(999)
  })

  it('is per account', async () => {
    const [one, other] = [await bench.makeSmsReseller(), await bench.makeSmsReseller()]
    const body = { message, recipients: [fresh()], reference: 'shared' }
    const [first, second] = [await bench.send(one, body), await bench.send(other, body)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body.data.campaignId).not.toBe(second.body.data.campaignId)
  })

  it('racing with itself ends in one campaign and one debit', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipient = fresh()
    const body = { message, recipients: [recipient], reference: 'race' }
    const answers = await Promise.all(Array.from({ length: 16 }, () => bench.send(reseller, body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.data.campaignId)).size).toBe(1)
    expect(await creditsOf(reseller)).toBe(999)
    await until('it is sent', async () => (await bench.textsOf(international(recipient))).length === 1)
  })

  it('of a blocked send stays free', async () => {
    const reseller = await bench.makeSmsReseller()
    const blocked = 'You have received GHS 100.00 from KOFI. MTN Mobile Money. New balance GHS 120'
    const recipients = [fresh()]
    expect((await bench.send(reseller, { message: blocked, recipients, reference: 'blocked' })).headers['x-error-reason']).toBe(
      'content_blocked',
    )
    expect((await bench.send(reseller, { message, recipients, reference: 'blocked' })).status).toBe(200)
    const { body } = await bench.get(reseller, '/sms/campaigns?status=blocked')
    expect(body.data.campaigns).toMatchObject([{ status: 'blocked', credits_charged: 0, recipients_count: 1 }])
    const id = body.data.campaigns[0].id as string
    expect((await bench.get(reseller, `/sms/messages/${id}`)).body.data).toMatchObject({ delivery: {}, messages: [] })
    expect(await creditsOf(reseller)).toBe(999)
  })
})

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
    await approveSender(reseller.accountId, 'KofiShop')
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

it('leaves books that the audit finds clean', async () => {
  expect(await bench.audit()).toEqual([])
})
