import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../../../test/create-signed-in-staff.ts'
import { openBrowser, type TestBrowser } from '../../../../test/open-browser.ts'
import { readWallet } from '../../../money/wallets.ts'
import { listResellerNotices } from '../../../notices/list-reseller-notices.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { readOperatorLog } from '../../../platform/operator-log/read-operator-log.ts'
import { decideSender, listAllSenders, requestSender } from '../campaigns/decide-sender.ts'
import { expandCampaigns } from '../campaigns/expand-campaigns.ts'
import { pauseCampaign } from '../link/cancel-campaign.ts'
import { type SmsBench, type SmsReseller, startSmsBench, until } from '../sms-bench.fixture.ts'

/** No worker runs here, so that a campaign stays where a test puts it. */
let bench: SmsBench
let ama: TestBrowser
let kofi: TestBrowser
let reseller: SmsReseller
let accountId: string
let email: string

const db = () => bench.app.database.db
/** More than 500, so that the call does not wait for the end of the campaign. */
const count = 501
const recipients = Array.from({ length: count }, (_, n) => `0${241_000_000 + n}`)

const ask = async (path: string, who = ama) => (await who.ask('GET', `/desk/api${path}`)).body.data
const post = (path: string, body: object, who = ama) => who.ask('POST', `/desk/api${path}`, body)

beforeAll(async () => {
  bench = await startSmsBench()
  reseller = await bench.makeSmsReseller(count)
  accountId = reseller.accountId
  email = (await db().selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirstOrThrow()).email
  const shop = { db: db(), browser: () => openBrowser(bench.app) }
  ama = await createSignedInStaff(shop, 'ama@desk.test', 'owner')
  kofi = await createSignedInStaff(shop, 'kofi@desk.test', 'finance')
})
afterAll(async () => {
  await Promise.all([ama.close(), kofi.close()])
  const broken = await bench.audit()
  await bench.close()
  if (broken.length > 0) throw new Error(`the audit found ${broken.join(', ')}`)
})

describe('a campaign of anybody', () => {
  it('is paused and cancelled by the operator with a reason; its account cannot resume it, is told, and gets its credits back', async () => {
    const body = { message: 'Your order is ready.', recipients, reference: 'once' }
    const id = (await bench.send(reseller, body)).body.data.campaignId as string
    await expandCampaigns(db())
    expect(await ask(`/sms/campaigns?group=running&account=${email}`)).toMatchObject({
      campaigns: [{ campaign_id: id, account: email, state: 'sending', recipients: count, delivery: { queued: count } }],
      next: null,
    })
    expect((await post(`/sms/campaigns/${id}/pause`, { reason: 'complaints' }, kofi)).status).toBe(403)
    expect((await post(`/sms/campaigns/${id}/pause`, { reason: ' ' })).status).toBe(400)
    const paused = (await post(`/sms/campaigns/${id}/pause`, { reason: 'complaints' })).body.data
    expect(paused).toMatchObject({ state: 'paused', paused_by: 'ama@desk.test', is_paused_by_operator: true })
    const order = { accountId, campaignId: id, actor: 'reseller@example.test' }
    await expect(pauseCampaign(db(), order, false)).rejects.toThrow('only we can resume it')
    expect((await post(`/sms/campaigns/${id}/resume`, { reason: 'sorted out' })).body.data.state).toBe('sending')
    await pauseCampaign(db(), order, true)
    await pauseCampaign(db(), order, false)
    const cancelled = (await post(`/sms/campaigns/${id}/cancel`, { reason: 'a scam' })).body.data
    expect(cancelled).toMatchObject({
      state: 'cancelled',
      credits_charged: count,
      credits_refunded: count,
      delivery: { failed: count },
    })
    expect((await readWallet(db(), { accountId, purse: 'sms_credits' })).balance).toBe(count)
    const { messages, next } = await ask(`/sms/campaigns/${id}/messages?status=failed`)
    expect([messages.length, messages[0].reason, next]).toEqual([100, 'cancelled before it was handed over', 100])
    const lines = await readOperatorLog(db(), { subjects: [id], limit: 10 })
    expect(lines.map(({ action, details }) => [action, details['before'], details['after'], details['reason']])).toEqual([
      ['campaign cancel', 'processing', 'cancelled', 'a scam'],
      ['campaign resume', 'paused', 'sending', 'sorted out'],
      ['campaign pause', 'sending', 'paused', 'complaints'],
    ])
    const told = await listResellerNotices(db(), { accountId, limit: 10 })
    expect(told.map(({ kind }) => kind)).toEqual(['campaign_stopped', 'campaign_stopped'])
    expect((await post(`/sms/campaigns/${newId()}/cancel`, { reason: 'a scam' })).status).toBe(404)
  })
})

describe('a sender name', () => {
  it('waits, is approved or declined with a reason, and the pool grows by an owner’s word', async () => {
    await inTransaction(db(), async (tx) => {
      for (const sender of ['AmaStores', 'MTN']) await requestSender(tx, { accountId, sender, actor: 'test' })
    })
    const { senders } = await ask('/senders?group=waiting')
    expect(senders).toMatchObject([
      { sender: 'AmaStores', account: email, status: 'requested' },
      { sender: 'MTN', account: email },
    ])
    const approval = { account_id: accountId, sender: 'AmaStores', is_default: false, reason: '' }
    expect((await post('/senders/approve', approval, kofi)).status).toBe(403)
    expect((await post('/senders/approve', approval)).status).toBe(200)
    const rejection = { account_id: accountId, sender: 'MTN', reason: 'the name of a telecom' }
    expect((await post('/senders/reject', rejection)).status).toBe(200)
    expect((await ask('/senders?group=waiting')).senders).toEqual([])
    expect((await ask('/senders?group=decided')).senders).toMatchObject([
      { sender: 'MTN', status: 'rejected', reason: 'the name of a telecom', decided_by: 'ama@desk.test' },
      { sender: 'AmaStores', status: 'approved', is_default: true },
    ])
    const [line] = await readOperatorLog(db(), { limit: 1 })
    expect(line).toMatchObject({ action: 'sender reject', details: { before: 'requested', after: 'rejected' } })
    expect((await post('/senders/pool', { sender: '-', is_default: false })).status).toBe(400)
    expect((await post('/senders/pool', { sender: 'a--', is_default: false })).status).toBe(409)
    expect((await post('/senders/pool', { sender: 'MyShopGH', is_default: true })).status).toBe(200)
    const pool = (await ask('/senders?group=pool')).senders
    expect(pool).toContainEqual(expect.objectContaining({ sender: 'MyShopGH', is_default: true, account_id: null }))
  })

  it('is approved, although the account’s first other name is approved at the same moment and becomes the default', async () => {
    const { accountId: shopId } = await bench.makeSmsReseller(0)
    const approve = { accountId: shopId, status: 'approved', actor: 'kofi' } as const
    const { other } = await inTransaction(db(), async (tx) => {
      await inTransaction(db(), async (asking) => {
        for (const sender of ['FirstShop', 'OtherShop']) await requestSender(asking, { accountId: shopId, sender, actor: 'test' })
      })
      await decideSender(tx, { ...approve, sender: 'FirstShop' })
      const answer = post('/senders/approve', { account_id: shopId, sender: 'OtherShop', is_default: false, reason: '' })
      await until('one approval waits for the other', async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          bench.app.database.ownerDb,
        )
        return rows.length > 0
      })
      return { other: answer }
    })
    expect((await other).status).toBe(200)
    const senders = await listAllSenders(db(), { accountId: shopId })
    expect(senders.map(({ sender, status, is_default }) => [sender, status, is_default])).toEqual([
      ['FirstShop', 'approved', true],
      ['OtherShop', 'approved', false],
    ])
  })
})

describe('a text', () => {
  it('is weighed by the content policy', async () => {
    const honest = (await post('/sms/check-text', { message: 'Your order is ready.' })).body.data
    expect(honest).toMatchObject({ encoding: 'gsm7', segments: 1, blocked_by: null, blocked_because: null })
    const fake = 'Payment received for GHS 50.00 from KOFI. Current Balance: GHS 120.00. Transaction ID: 123456789.'
    const { blocked_by: rule, receipt_score: score } = (await post('/sms/check-text', { message: fake })).body.data
    expect([rule === null, score > honest.receipt_score]).toEqual([false, true])
  })
})
