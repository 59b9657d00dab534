import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeAccount, makeKeyFor } from '../../../test/makers.ts'
import { readWallet } from '../../money/read-wallet.ts'
import { refundByPerson } from '../../orders/manual/refund-by-person.ts'
import { listOrdersById } from '../../orders/order.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { requestSender } from './campaigns/decide-sender.ts'
import { smsKind } from './sms.kind.ts'
import { smsEnabled } from './sms.settings.ts'
import { approveSender, type SmsBench, type SmsReseller, until, useSmsBench } from './sms-bench.fixture.ts'

let bench: SmsBench

useSmsBench((started) => {
  bench = started
})

const fresh = (ending?: string) => bench.freshNumber(ending)
const international = (number: string) => `233${number.slice(1)}`
const message = 'Your order is ready.'
const creditsOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/balance')).body.data.credits as number

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
    expect(await refundByPerson(db, smsKind, order, 'test')).toBe(false)
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

  it('uses the account’s own default sender when none is named, and a named one otherwise', async () => {
    const reseller = await bench.makeSmsReseller()
    await approveSender(bench, reseller.accountId, 'AmaStores')
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

  it('returns the campaign also when its recipients are written, repeated or ordered in another way', async () => {
    const reseller = await bench.makeSmsReseller()
    const [one, two] = [fresh(), fresh()]
    const body = { message, recipients: [one, two], reference: 'rewritten' }
    const first = await bench.send(reseller, body)
    for (const recipients of [
      [two, one],
      [international(one), two],
      [international(two), international(one), one],
    ]) {
      const again = await bench.send(reseller, { ...body, recipients })
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
      expect(again.body.data).toEqual(first.body.data)
    }
    expect(await creditsOf(reseller)).toBe(998)
    expect(await bench.textsOf(international(one))).toHaveLength(1)
    for (const changes of [
      { recipients: [one] },
      { recipients: [two, one, fresh()] },
      { recipients: [two, one], message: 'Another text' },
      { recipients: [two, one], sender: 'Makola' },
    ]) {
      expect((await bench.send(reseller, { ...body, ...changes })).status).toBe(409)
    }
  })

  it('of one number as text is the same as of a list of one', async () => {
    const reseller = await bench.makeSmsReseller()
    const number = fresh()
    const first = await bench.send(reseller, { message, recipients: number, sender: 'Makola', reference: 'text' })
    const body = { message, sender: 'Makola', reference: 'text' }
    const again = await bench.send(reseller, { ...body, recipients: [international(number)] })
    expect([again.status, again.body.data.campaignId]).toEqual([200, first.body.data.campaignId])
    expect((await bench.send(reseller, { message, recipients: [international(number)], reference: 'text' })).status).toBe(409)
  })

  it('of a campaign that an older version stored returns it too, as it was written and otherwise', async () => {
    const reseller = await bench.makeSmsReseller()
    const [one, two] = [fresh(), fresh()]
    const body = { message, recipients: [one, two], reference: 'older' }
    const { campaignId } = (await bench.send(reseller, body)).body.data
    await sql`update orders set details = details - 'isSenderNamed' where id = ${campaignId}`.execute(bench.app.database.ownerDb)
    for (const recipients of [
      [one, two],
      [international(two), one],
    ]) {
      expect((await bench.send(reseller, { ...body, recipients })).body.data.campaignId).toBe(campaignId)
    }
    expect((await bench.send(reseller, { ...body, recipients: [two, fresh()] })).status).toBe(409)
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
