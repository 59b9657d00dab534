import { describe, expect, it } from 'vitest'
import { makeKeyFor } from '../../../test/make-account.ts'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import { creditWallet } from '../../money/credit-wallet.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { decideSender, requestSender } from './campaigns/decide-sender.ts'
import { type SmsReseller, until, useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

const message = 'Your order is ready.'
const fresh = (ending?: string) => bench.freshNumber(ending)
const blockedMessage = 'You have received GHS 100.00 from KOFI. MTN Mobile Money. New balance GHS 120'
const international = (number: string) => `233${number.slice(1)}`
/** Numbers of no known network that end in 921: the simulator refuses their submits, so nothing waits for receipts. */
const refusedNumbers = (count: number) => Array.from({ length: count }, (_, n) => `0${300_000_921 + n * 1_000}`)
const balanceOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/balance')).body.data
const creditsOf = async (reseller: SmsReseller) => (await balanceOf(reseller)).credits as number
const campaignsOf = async (reseller: SmsReseller, query = '') =>
  (await bench.get(reseller, `/sms/campaigns${query}`)).body.data.campaigns as { id: string; status: string }[]

async function decideOwn(accountId: string, sender: string, status: 'approved' | 'rejected'): Promise<void> {
  await inTransaction(bench.app.database.db, async (tx) => {
    if (status === 'approved') await requestSender(tx, { accountId, sender, actor: 'test' })
    await decideSender(tx, { accountId, sender, status, actor: 'test' })
  })
}

describe('POST /sms/send with a reference', () => {
  it('200: returns the original campaign with no second send or charge', async () => {
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

  it('200: replays the campaign in its current state, with the credits as they are now', async () => {
    await bench.smsc('POST', '/control/smsc', { answerMilliseconds: 1_000 })
    const reseller = await bench.makeSmsReseller(2_000)
    const body = { message, recipients: refusedNumbers(501), reference: 'many' }
    const first = await bench.send(reseller, body)
    expect(first.body.data).toMatchObject({ status: 'queued', balance: 1_499 })
    await until('it has settled', async () => (await balanceOf(reseller)).credits === 2_000)
    const { campaignId } = first.body.data
    expect((await bench.send(reseller, body)).body.data).toMatchObject({
      campaignId,
      status: 'failed',
      failed: 501,
      balance: 2_000,
    })
  })

  it('200 or 409: replays, and conflicts, before anything that may have changed since: approval, sender, policy, credits', async () => {
    const { db } = bench.app.database
    const reseller = await bench.makeSmsReseller(1)
    await decideOwn(reseller.accountId, 'EsiShop', 'approved')
    const body = { message, recipients: [fresh()], sender: 'EsiShop', reference: 'kept' }
    expect((await bench.send(reseller, body)).body.data).toMatchObject({ status: 'completed', balance: 0 })
    await decideOwn(reseller.accountId, 'EsiShop', 'rejected')
    await db.updateTable('accounts').set({ is_business: false }).where('id', '=', reseller.accountId).execute()
    expect(await bench.send(reseller, body)).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
    const other = { ...body, message: blockedMessage }
    expect((await bench.send(reseller, other)).headers['x-error-reason']).toBe('reference_taken')
    expect(await campaignsOf(reseller)).toHaveLength(1)
  })

  it('409: charges nothing for another body', async () => {
    const reseller = await bench.makeSmsReseller()
    const body = { message, recipients: [fresh()], reference: 'twice' }
    await bench.send(reseller, body)
    for (const changes of [{ message: 'Another text' }, { recipients: [fresh()] }, { sender: 'Makola' }]) {
      expect((await bench.send(reseller, { ...body, ...changes })).status).toBe(409)
    }
    expect(await creditsOf(reseller)).toBe(999)
  })

  it('200: returns the campaign also when its recipients are written, repeated or ordered in another way', async () => {
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

  it('200: takes one number as text for a list of one', async () => {
    const reseller = await bench.makeSmsReseller()
    const number = fresh()
    const first = await bench.send(reseller, { message, recipients: number, sender: 'Makola', reference: 'text' })
    const body = { message, sender: 'Makola', reference: 'text' }
    const again = await bench.send(reseller, { ...body, recipients: [international(number)] })
    expect([again.status, again.body.data.campaignId]).toEqual([200, first.body.data.campaignId])
    expect((await bench.send(reseller, { message, recipients: [international(number)], reference: 'text' })).status).toBe(409)
  })

  it('200: takes the reference of another account', async () => {
    const [one, other] = [await bench.makeSmsReseller(), await bench.makeSmsReseller()]
    const body = { message, recipients: [fresh()], reference: 'shared' }
    const [first, second] = [await bench.send(one, body), await bench.send(other, body)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body.data.campaignId).not.toBe(second.body.data.campaignId)
  })

  it('200: keeps to the account and the service: data orders and campaigns of others do not take it', async () => {
    const { db } = bench.app.database
    const [one, other] = [await bench.makeSmsReseller(), await bench.makeSmsReseller()]
    await inTransaction(db, (tx) => creditWallet(tx, { ...one, purse: 'main', amount: 100_000, actor: 'test' }))
    const key = await makeKeyFor(db, one.accountId)
    const order = { network: 'Telecel', volume_gb: 1, recipient: '0201234567', reference: 'everywhere' }
    expect((await bench.app.call('POST', '/data/purchase', { key, body: order })).status).toBe(200)
    const ids = []
    for (const reseller of [one, other]) {
      const { status, body } = await bench.send(reseller, { message, recipients: fresh('921'), reference: 'everywhere' })
      expect(status).toBe(200)
      ids.push(body.data.campaignId)
    }
    expect(new Set(ids).size).toBe(2)
    expect((await bench.send(one, { message, recipients: fresh('921'), reference: 'sms-first' })).status).toBe(200)
    const second = { ...order, reference: 'sms-first' }
    expect((await bench.app.call('POST', '/data/purchase', { key, body: second })).status).toBe(200)
  })

  it('200: ends a race in one campaign and one debit', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipient = fresh()
    const body = { message, recipients: [recipient], reference: 'race' }
    const answers = await Promise.all(Array.from({ length: 16 }, () => retryWhileOverloaded(() => bench.send(reseller, body))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.data.campaignId)).size).toBe(1)
    expect(await creditsOf(reseller)).toBe(999)
    await until('it is sent', async () => (await bench.textsOf(international(recipient))).length === 1)
  })

  it('400, then 200: leaves the reference of a blocked send free', async () => {
    const reseller = await bench.makeSmsReseller()
    const recipients = [fresh()]
    expect(
      (await bench.send(reseller, { message: blockedMessage, recipients, reference: 'blocked' })).headers['x-error-reason'],
    ).toBe('content_blocked')
    expect((await bench.send(reseller, { message, recipients, reference: 'blocked' })).status).toBe(200)
    const { body } = await bench.get(reseller, '/sms/campaigns?status=blocked')
    expect(body.data.campaigns).toMatchObject([{ status: 'blocked', credits_charged: 0, recipients_count: 1 }])
    const id = body.data.campaigns[0].id as string
    expect((await bench.get(reseller, `/sms/messages/${id}`)).body.data).toMatchObject({ delivery: {}, messages: [] })
    expect(await creditsOf(reseller)).toBe(999)
  })
})
