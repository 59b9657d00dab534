import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeKeyFor } from '../../../../test/makers.ts'
import { creditWallet } from '../../../money/credit-wallet.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { writeSetting } from '../../../platform/settings/settings.ts'
import { smsEnabled } from '../sms.settings.ts'
import { readCampaignRow, type SmsBench, type SmsReseller, until, useSmsBench } from '../sms-bench.fixture.ts'
import { addPoolSender, decideSender, requestSender } from './decide-sender.ts'

let bench: SmsBench

useSmsBench((started) => {
  bench = started
})

const message = 'Your order is ready.'
const blockedMessage = 'You have received GHS 100.00 from KOFI. MTN Mobile Money. New balance GHS 120'
const fresh = (ending?: string) => bench.freshNumber(ending)
const balanceOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/balance')).body.data
const sendersOf = async (reseller: SmsReseller) => (await bench.get(reseller, '/sms/senders')).body.data
const campaignsOf = async (reseller: SmsReseller, query = '') =>
  (await bench.get(reseller, `/sms/campaigns${query}`)).body.data.campaigns as { id: string; status: string }[]

async function decideOwn(accountId: string, sender: string, status: 'approved' | 'rejected'): Promise<void> {
  await inTransaction(bench.app.database.db, async (tx) => {
    if (status === 'approved') await requestSender(tx, { accountId, sender, actor: 'test' })
    await decideSender(tx, { accountId, sender, status, actor: 'test' })
  })
}

describe('a reference', () => {
  it('replays the campaign in its current state, with the credits as they are now', async () => {
    await bench.smsc('POST', '/control/smsc', { answerMilliseconds: 1_000 })
    const reseller = await bench.makeSmsReseller(2_000)
    const body = { message, recipients: Array.from({ length: 501 }, (_, n) => `0${300_000_921 + n * 1_000}`), reference: 'many' }
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

  it('replays, and conflicts, before anything that may have changed since: approval, sender, policy, credits', async () => {
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

  it('is the account’s and the service’s own: data orders and campaigns of others do not take it', async () => {
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
})

it('everything but sending goes on while SMS is switched off', async () => {
  const reseller = await bench.makeSmsReseller()
  const id = (await bench.send(reseller, { message, recipients: fresh() })).body.data.campaignId as string
  await writeSetting(bench.app.database.db, smsEnabled, false, 'test')
  await bench.app.untilSeen()
  const paths = ['/sms/senders', '/sms/campaigns', `/sms/messages/${id}`, '/sms/balance']
  const answers = await Promise.all(paths.map((path) => bench.get(reseller, path)))
  const sent = await bench.send(reseller, { message: blockedMessage, recipients: fresh(), sender: 'nobody' })
  await writeSetting(bench.app.database.db, smsEnabled, true, 'test')
  await bench.app.untilSeen()
  expect([...answers, sent].map(({ status }) => status)).toEqual([200, 200, 200, 200, 503])
  expect(await campaignsOf(reseller)).toHaveLength(1)
})

describe('GET /sms/campaigns', () => {
  it('records a blocked send at 0 credits, and no other refusal', async () => {
    const reseller = await bench.makeSmsReseller(0)
    const recipients = [fresh(), fresh()]
    expect((await bench.send(reseller, { message, recipients })).status).toBe(402)
    expect((await bench.send(reseller, { message: blockedMessage, recipients, sender: 'nobody' })).status).toBe(400)
    expect(await campaignsOf(reseller)).toEqual([])
    // Without credits too, the refusal is the content policy's: funds are checked last.
    expect((await bench.send(reseller, { message: blockedMessage, recipients })).headers['x-error-reason']).toBe(
      'content_blocked',
    )
    expect(await campaignsOf(reseller)).toEqual([
      {
        id: expect.any(String),
        status: 'blocked',
        recipients_count: 2,
        segments: 1,
        credits_charged: 0,
        sender_used: 'Makola',
        source: 'api',
        scheduled_at: null,
        created_at: expect.stringMatching(/Z$/),
      },
    ])
  })

  it('knows how many a blocked send was for, and keeps nobody’s number', async () => {
    const reseller = await bench.makeSmsReseller(0)
    const recipients = Array.from({ length: 10_000 }, (_, n) => `0${300_000_000 + n}`)
    expect((await bench.send(reseller, { message: blockedMessage, recipients })).status).toBe(400)
    const [campaign] = await campaignsOf(reseller)
    expect(campaign).toMatchObject({ status: 'blocked', recipients_count: 10_000 })
    const row = await readCampaignRow(bench, campaign?.id ?? '')
    expect(row).toMatchObject({ recipients: [], message: blockedMessage, blocked_by: 'payment_receipt' })
    const { data } = (await bench.get(reseller, `/sms/messages/${campaign?.id}`)).body
    expect(data).toMatchObject({ campaign: { recipients_count: 10_000, credits_charged: 0 }, delivery: {}, messages: [] })
  })

  it('filters by each state alone, and shows an account only its own', async () => {
    const [reseller, other] = [await bench.makeSmsReseller(), await bench.makeSmsReseller()]
    await bench.send(other, { message, recipients: fresh() })
    await bench.send(reseller, { message, recipients: fresh() })
    await bench.send(reseller, { message, recipients: fresh('921') })
    await bench.send(reseller, { message: blockedMessage, recipients: fresh() })
    expect((await campaignsOf(reseller)).map(({ status }) => status)).toEqual(['blocked', 'failed', 'completed'])
    for (const [status, count] of Object.entries({ queued: 0, processing: 0, completed: 1, failed: 1, blocked: 1 })) {
      expect((await campaignsOf(reseller, `?status=${status}`)).map((campaign) => campaign.status)).toEqual(
        Array.from({ length: count }, () => status),
      )
    }
    expect(await campaignsOf(reseller, '?status=failed&page=1')).toEqual([])
  })

  it('counts a day from its first to its last millisecond in Accra', async () => {
    const reseller = await bench.makeSmsReseller()
    const id = (await bench.send(reseller, { message, recipients: fresh('921') })).body.data.campaignId as string
    const isListed = async (createdAt: string, query: string) => {
      await sql`update sms_campaigns set created_at = ${createdAt}::timestamptz where id = ${id}`.execute(bench.app.database.db)
      return (await campaignsOf(reseller, query)).length === 1
    }
    const [first, last] = ['2026-03-01T00:00:00Z', '2026-03-01T23:59:59.999Z']
    for (const query of ['?from=2026-03-01', '?to=2026-03-01', '?from=2026-03-01&to=2026-03-01']) {
      expect([await isListed(first, query), await isListed(last, query)]).toEqual([true, true])
    }
    expect(await isListed('2026-02-28T23:59:59.999Z', '?from=2026-03-01')).toBe(false)
    expect(await isListed('2026-03-02T00:00:00Z', '?to=2026-03-01')).toBe(false)
    expect(await isListed(first, '?from=2026-03-01&to=2026-03-01&status=failed')).toBe(true)
    expect(await isListed(first, '?from=0001-01-01&to=9999-12-31')).toBe(true)
  })

  it.each([
    'from=2026-02-29',
    'to=2026-02-30',
    'from=2026-3-1',
    'from=',
    'from=2026-03-01T00:00:00Z',
    'to=0000-01-01',
    'status=',
    'page=',
  ])('answers 400 for %s', async (query) => {
    const reseller = await bench.makeSmsReseller()
    await bench.send(reseller, { message, recipients: fresh('921') })
    expect((await bench.get(reseller, `/sms/campaigns?${query}`)).status).toBe(400)
  })
})

describe('GET /sms/messages/{id}', () => {
  it('has the id in the spelling of the contract, however it is asked for', async () => {
    const reseller = await bench.makeSmsReseller()
    const id = (await bench.send(reseller, { message, recipients: fresh('921') })).body.data.campaignId as string
    expect((await bench.get(reseller, `/sms/messages/${id.toUpperCase()}`)).body.data.campaign.id).toBe(id)
    expect((await bench.get(reseller, `/sms/messages/urn:uuid:${id}`)).status).toBe(400)
  })

  it.each(['page=-1', 'page=1.5', 'page=1e300', 'status=processing', 'status=blocked'])('answers 400 for %s', async (query) => {
    const reseller = await bench.makeSmsReseller()
    const id = (await bench.send(reseller, { message, recipients: fresh('921') })).body.data.campaignId as string
    expect((await bench.get(reseller, `/sms/messages/${id}?${query}`)).status).toBe(400)
  })
})

describe('senders', () => {
  it('of an account without a default of its own: the pool’s default, also where the account has one of that name', async () => {
    const reseller = await bench.makeSmsReseller()
    for (const sender of ['AdwoaShop', 'Makola']) await decideOwn(reseller.accountId, sender, 'approved')
    expect(await sendersOf(reseller)).toMatchObject({ mode: 'own', defaultSender: 'AdwoaShop' })
    await decideOwn(reseller.accountId, 'AdwoaShop', 'rejected')
    expect(await sendersOf(reseller)).toEqual({
      mode: 'own',
      defaultSender: 'Makola',
      senders: [{ sender: 'Makola', type: 'own', isDefault: true }],
    })
    expect((await bench.send(reseller, { message, recipients: fresh('921') })).body.data.sender).toBe('Makola')
    await decideOwn(reseller.accountId, 'Makola', 'rejected')
    expect(await sendersOf(reseller)).toMatchObject({ mode: 'pool', defaultSender: 'Makola' })
  })

  it('of the pool are all listed, and any of them may be named', async () => {
    const reseller = await bench.makeSmsReseller()
    await inTransaction(bench.app.database.db, (tx) => addPoolSender(tx, { sender: '1234', isDefault: false, actor: 'test' }))
    expect((await sendersOf(reseller)).senders).toEqual([
      { sender: '1234', type: 'pool', isDefault: false },
      { sender: 'Makola', type: 'pool', isDefault: true },
    ])
    expect((await bench.send(reseller, { message, recipients: fresh('921'), sender: '1234' })).body.data.sender).toBe('1234')
  })
})

it('the balance says `suspended` as long as a key of a suspended account is still answered', async () => {
  const reseller = await bench.makeSmsReseller(5)
  // The new key changed the epoch. What is read from now on stays in memory until it changes again.
  await bench.app.untilSeen()
  expect((await balanceOf(reseller)).accountStatus).toBe('active')
  // The epoch is not changed, as if this process had not noticed yet.
  await sql`update accounts set status = 'suspended' where id = ${reseller.accountId}`.execute(bench.app.database.db)
  expect(await balanceOf(reseller)).toEqual({
    credits: 5,
    totalPurchased: 5,
    totalUsed: 0,
    mode: 'pool',
    accountStatus: 'suspended',
  })
})
