import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { creditWallet } from '../../money/credit-wallet.ts'
import { readWallet } from '../../money/wallets.ts'
import { refundByPerson } from '../../orders/manual/refund-by-person.ts'
import { listOrdersById } from '../../orders/order.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { requestSender } from './campaigns/decide-sender.ts'
import { smsKind } from './sms.kind.ts'
import { smsEnabled } from './sms.settings.ts'
import { approveSender, type SmsReseller, until, useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

const message = 'Your order is ready.'
const fresh = (ending?: string) => bench.freshNumber(ending)
const international = (number: string) => `233${number.slice(1)}`
/** Numbers of no known network that end in 921: the simulator refuses their submits, so nothing waits for receipts. */
const refusedNumbers = (count: number) => Array.from({ length: count }, (_, n) => `0${300_000_921 + n * 1_000}`)
const balanceOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/balance')).body.data
const creditsOf = async (reseller: SmsReseller) => (await balanceOf(reseller)).credits as number
const campaignsOf = async (reseller: SmsReseller, query = '') =>
  (await bench.get(reseller, `/sms/campaigns${query}`)).body.data.campaigns as { id: string; status: string }[]

describe('POST /sms/send', () => {
  it('200: sends 500 recipients or fewer at once and returns per-send results', async () => {
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

  it('200: answers 500 unique numbers with their results, and 501 as queued', async () => {
    const reseller = await bench.makeSmsReseller(2_000)
    const numbers = refusedNumbers(501)
    const five = numbers.slice(0, 500)
    const small = await bench.sendAndWait(reseller, {
      message,
      recipients: [...five, ...five.map((number) => `233${number.slice(1)}`)],
    })
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

  it('200: takes one recipient as a string', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipient = fresh()
    const { body } = await bench.sendAndWait(reseller, { message, recipients: recipient })
    expect(body.data).toMatchObject({ recipients: 1, sent: 1, status: 'completed' })
  })

  it('200: ignores unknown fields, also those with names that we use ourselves', async () => {
    const reseller = await bench.makeSmsReseller()
    const unknown = { scheduledAt: '2030-01-01T00:00:00Z', personId: newId(), colour: 'red' }
    const { status, body } = await bench.sendAndWait(reseller, { message, recipients: fresh(), ...unknown })
    expect([status, body.data]).toMatchObject([200, { recipients: 1, sent: 1, status: 'completed' }])
  })

  it('200: costs segments times recipients, and long unicode arrives whole', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipients = [fresh(), fresh()]
    const text = `Mepa wo kyɛw 😀 ${'ɔ'.repeat(120)}`
    const { body } = await bench.sendAndWait(reseller, { message: text, recipients })
    expect(body.data).toMatchObject({ segments: 3, creditsCharged: 6, balance: 994, sent: 2 })
    expect(await bench.textsOf(international(recipients[1] ?? ''))).toMatchObject([{ text, parts: 3 }])
  })

  it('200: removes duplicates after normalising both forms', async () => {
    const reseller = await bench.makeSmsReseller()
    const number = fresh()
    const { body } = await bench.send(reseller, { message, recipients: [number, international(number), number] })
    expect(body.data).toMatchObject({ recipients: 1, creditsCharged: 1 })
  })

  it('200: refunds rejected messages once when the campaign settles, and fails when nothing was accepted', async () => {
    const reseller = await bench.makeSmsReseller(10)
    const { body } = await bench.sendAndWait(reseller, { message: 'a'.repeat(200), recipients: [fresh('921'), fresh('921')] })
    expect(body.data).toMatchObject({ status: 'failed', creditsCharged: 4, sent: 0, failed: 2, balance: 10 })
    expect((await bench.get(reseller, '/sms/balance')).body.data).toMatchObject({ credits: 10, totalPurchased: 10, totalUsed: 0 })
  })

  it('200: refunds a failed campaign no second time by hand, and never in money', async () => {
    const { db } = bench.app.database
    const reseller = await bench.makeSmsReseller(10)
    const { body } = await bench.sendAndWait(reseller, { message, recipients: [fresh('921')] })
    const id = body.data.campaignId as string
    const order = (await listOrdersById(db, [id])).get(id)
    if (!order) throw new Error('the campaign has no order')
    expect(order.status).toBe('refunded')
    expect(await refundByPerson(db, smsKind, order, 'test')).toBe(false)
    expect((await readWallet(db, { accountId: reseller.accountId, purse: 'main' })).balance).toBe(0)
    expect(await creditsOf(reseller)).toBe(10)
  })

  it('200: costs what campaigns show gross and the balance net', async () => {
    const reseller = await bench.makeSmsReseller(10)
    await inTransaction(bench.app.database.db, (tx) =>
      creditWallet(tx, { ...reseller, purse: 'sms_credits', amount: 5, actor: 'test' }),
    )
    const text = 'ɛ'.repeat(71)
    const { body } = await bench.sendAndWait(reseller, { message: text, recipients: [fresh(), fresh('921')] })
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

  it('200: uses the account’s own default sender when none is named, and a named one otherwise', async () => {
    const reseller = await bench.makeSmsReseller()
    await approveSender(bench, reseller.accountId, 'AmaStores')
    const recipient = fresh()
    const { body } = await bench.send(reseller, { message, recipients: recipient })
    expect(body.data.sender).toBe('AmaStores')
    expect(await bench.textsOf(international(recipient))).toMatchObject([{ sender: 'AmaStores' }])
    expect((await bench.send(reseller, { message, recipients: fresh(), sender: 'Makola' })).body.data.sender).toBe('Makola')
  })

  it('200: takes a null reference and a null sender as left out', async () => {
    const reseller = await bench.makeSmsReseller()
    const body = { message, recipients: fresh('921'), reference: null, sender: null }
    const [first, second] = [await bench.send(reseller, body), await bench.send(reseller, body)]
    expect([first.status, second.status, first.body.data.sender]).toEqual([200, 200, 'Makola'])
    expect(second.body.data.campaignId).not.toBe(first.body.data.campaignId)
  })

  it('200: leaves scheduling to the dashboard: `scheduled_at` is a field that nobody knows', async () => {
    const reseller = await bench.makeSmsReseller()
    const { body } = await bench.sendAndWait(reseller, { message, recipients: fresh(), scheduled_at: '2099-01-01T00:00:00Z' })
    expect(body.data).toMatchObject({ status: 'completed', sent: 1 })
    expect(await campaignsOf(reseller)).toMatchObject([{ scheduled_at: null, source: 'api' }])
  })

  it('200: checks numbers for their shape only: one of no known prefix is sent to', async () => {
    const reseller = await bench.makeSmsReseller()
    const { body } = await bench.sendAndWait(reseller, { message, recipients: ['0999999000', '233100000000'] })
    expect(body.data).toMatchObject({ recipients: 2, sent: 2 })
  })

  it('200: counts 1000 characters by code points', async () => {
    const reseller = await bench.makeSmsReseller()
    const { body } = await bench.send(reseller, { message: '😀'.repeat(1000), recipients: fresh('921') })
    expect(body.data).toMatchObject({ segments: Math.ceil(2000 / 66) })
  })

  it.each([
    [200, '3 characters', 'abc'],
    [200, '3 emoji', '😀😀😀'],
    [400, '2 emoji, which are 4 units', '😀😀'],
    [200, '1000 characters', 'a'.repeat(1000)],
    [400, 'nothing', ''],
    [400, 'a number', 12_345],
    [400, 'a NUL', 'abc\0'],
  ])('%d: a message of %s', async (status, _what, text) => {
    const reseller = await bench.makeSmsReseller()
    expect((await bench.send(reseller, { message: text, recipients: fresh('921') })).status).toBe(status)
  })

  it.each([
    ['a message of 2 characters', { message: 'ab' }],
    ['a message of 1001 characters', { message: 'a'.repeat(1001) }],
    ['no recipients', { recipients: [] }],
    ['10,001 recipients as sent, duplicates included', { recipients: Array.from({ length: 10_001 }, () => '0241234567') }],
    ['a reference of 101 characters', { reference: 'r'.repeat(101) }],
    ['a number as recipient', { recipients: 241234567 }],
    ['half a surrogate pair', { message: 'bad \ud83d text' }],
  ])('400: refuses %s', async (_what, changes) => {
    const reseller = await bench.makeSmsReseller()
    const rawBody = JSON.stringify({ message, recipients: ['0241234567'], ...changes })
    expect((await bench.app.call('POST', '/sms/send', { key: reseller.key, rawBody })).status).toBe(400)
    expect(await creditsOf(reseller)).toBe(1_000)
  })

  it('400: names the first few invalid numbers, and sends and charges nothing', async () => {
    const reseller = await bench.makeSmsReseller()
    const { status, body } = await bench.send(reseller, {
      message,
      recipients: [fresh(), '+233241234567', '024 123 4567', '12345'],
    })
    expect(status).toBe(400)
    expect(body.error.message).toContain('"+233241234567", "024 123 4567", "12345"')
    expect(await creditsOf(reseller)).toBe(1_000)
  })

  it.each(['', '241234567', '2330241234567', '00233241234567', '0241234567 ', '0241234567\n', '024-123-4567', '٠٢٤١٢٣٤٥٦٧'])(
    '400: refuses the number %j, alone or among others',
    async (number) => {
      const reseller = await bench.makeSmsReseller()
      for (const recipients of [number, [fresh('921'), number]]) {
        expect((await bench.send(reseller, { message, recipients })).status).toBe(400)
      }
      expect([await campaignsOf(reseller), (await balanceOf(reseller)).credits]).toEqual([[], 1_000])
    },
  )

  it('400: names the first five wrong numbers and counts the others', async () => {
    const reseller = await bench.makeSmsReseller(0)
    const { body } = await bench.send(reseller, { message, recipients: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })
    expect(body.error.message).toContain('"a", "b", "c", "d", "e" and 2 more')
  })

  it.each([
    ['recipients must have at most 10000 entries.', refusedNumbers(10_001)],
    ['recipients must be a string or an array.', 241_000_000],
    ['recipients[1] must be a string.', ['0241000000', 241_000_000]],
  ])('400: says %s', async (sentence, recipients) => {
    const reseller = await bench.makeSmsReseller(0)
    expect((await bench.send(reseller, { message, recipients })).body.error).toEqual({ code: 400, message: sentence })
  })

  it.each([[''], [5]])('400: refuses the reference %j', async (reference) => {
    const reseller = await bench.makeSmsReseller()
    expect((await bench.send(reseller, { message, recipients: fresh('921'), reference })).status).toBe(400)
  })

  it('400: refuses a sender that is neither approved for the account nor in the pool', async () => {
    const reseller = await bench.makeSmsReseller()
    const other = await bench.makeSmsReseller()
    await approveSender(bench, other.accountId, 'OtherShop')
    await inTransaction(bench.app.database.db, (tx) =>
      requestSender(tx, { accountId: reseller.accountId, sender: 'AskedFor', actor: 'test' }),
    )
    for (const sender of ['OtherShop', 'AskedFor', 'makola', '']) {
      const { status, headers } = await bench.send(reseller, { message, recipients: fresh(), sender })
      expect([sender, status, headers['x-error-reason']]).toEqual([sender, 400, 'sender_not_approved'])
    }
    expect(await creditsOf(reseller)).toBe(1_000)
  })

  it('200, 402 or 400: takes 10,000 recipients as sent, whether they are one number or as many', async () => {
    const reseller = await bench.makeSmsReseller(1)
    const { body } = await bench.send(reseller, { message, recipients: Array.from({ length: 10_000 }, () => '0241234921') })
    expect(body.data).toMatchObject({ recipients: 1, creditsCharged: 1 })
    expect((await bench.send(reseller, { message, recipients: refusedNumbers(10_000) })).status).toBe(402)
    expect((await bench.send(reseller, { message, recipients: refusedNumbers(10_001) })).status).toBe(400)
  })

  it('402: charges nothing when the credits do not suffice', async () => {
    const reseller = await bench.makeSmsReseller(1)
    const { status, headers } = await bench.send(reseller, { message, recipients: [fresh(), fresh()] })
    expect([status, headers['x-error-reason']]).toEqual([402, 'insufficient_credits'])
    expect(await creditsOf(reseller)).toBe(1)
  })

  it('402: counts credits, of which one is missing here, whatever the wallet holds', async () => {
    const { db } = bench.app.database
    const reseller = await bench.makeSmsReseller(3)
    await inTransaction(db, (tx) => creditWallet(tx, { ...reseller, purse: 'main', amount: 100_000, actor: 'test' }))
    const body = { message: 'a'.repeat(161), recipients: [fresh('921'), fresh('921')], reference: 'poor' }
    expect((await bench.send(reseller, body)).status).toBe(402)
    expect(await campaignsOf(reseller)).toEqual([])
    await inTransaction(db, (tx) => creditWallet(tx, { ...reseller, purse: 'sms_credits', amount: 1, actor: 'test' }))
    // A refused call leaves its reference free.
    expect((await bench.send(reseller, body)).body.data).toMatchObject({ segments: 2, creditsCharged: 4 })
    const { rows } = await sql`select balance from wallets where account_id = ${reseller.accountId} and purse = 'main'`.execute(
      db,
    )
    expect(rows).toEqual([{ balance: 100_000 }])
  })

  it('403: needs an approved business account', async () => {
    const reseller = await bench.makeSmsReseller()
    await bench.app.database.db.updateTable('accounts').set({ is_business: false }).where('id', '=', reseller.accountId).execute()
    const { status, headers } = await bench.send(reseller, { message, recipients: fresh() })
    expect([status, headers['x-error-reason']]).toEqual([403, 'business_account_needed'])
  })

  it('503: sends nothing while switched off, but replays and lists go on', async () => {
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
