import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { readWallet } from '../../../money/wallets.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { newId } from '../../../platform/database/new-id.ts'
import type { SmsAnswer } from '../../../suppliers/sms-ports.ts'
import { expandCampaigns } from '../campaigns/expand-campaigns.ts'
import { cancelCampaign, pauseCampaign } from '../link/cancel-campaign.ts'
import { type ClaimPlan, claimMessages } from '../link/claim-messages.ts'
import { commitWindow } from '../link/commit-window.ts'
import { raiseSmsAlarms } from '../link/conclude-overdue.ts'
import { takeOverClaims } from '../link/take-over-claims.ts'
import { concludeNow, expireDeadlines, readCampaignRow, readMessages } from '../sms-bench.fixture.ts'
import { linesOfNumbers, type MemberShop, setUpMemberShops } from './member-shops.fixture.ts'

const shops = setUpMemberShops()
const { db, makeShop } = shops
const message = 'Your order is ready.'
const soon = () => new Date(Date.now() + 3_600_000).toISOString()

const creditsOf = async ({ accountId }: MemberShop) => (await readWallet(db(), { accountId, purse: 'sms_credits' })).balance
const moneyOf = async ({ accountId }: MemberShop) => (await readWallet(db(), { accountId, purse: 'main' })).balance
const actor = 'owner@example.test'

async function send(shop: MemberShop, more: Record<string, unknown> = {}) {
  const campaign = { message, recipients: linesOfNumbers(2), list_ids: [], credits: 2, reference: newId(), ...more }
  return shop.ask('POST', '/sms/send', campaign)
}

async function placed(shop: MemberShop, more: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await send(shop, more)
  expect(status).toBe(200)
  return body.data.campaign_id as string
}

const stateOf = async (shop: MemberShop, id: string) => (await shop.ask('GET', `/sms/campaigns/${id}`)).body.data

const plan: ClaimPlan = { MTN: [], Telecel: [], AT: [], any: [] }
const inherit = () => takeOverClaims(db(), 'smsc', { isResubmitting: false, receiptDays: 7 })
const wanted = (limit: number) => ({ limit, isBulkToo: true, deadlineHours: 24 })

async function makeDue(id: string): Promise<void> {
  await sql`update sms_campaigns set scheduled_at = now() - interval '1 second' where id = ${id}`.execute(
    shops.bench.app.database.ownerDb,
  )
}

describe('credits bought from the wallet', () => {
  it('are one purchase under a reference, however often it is sent, and two transfers of one cause', async () => {
    const shop = await makeShop(0)
    const wish = { credits: 500, price: 22.5, reference: 'pack-1' }
    const answers = await Promise.all(Array.from({ length: 4 }, () => shop.ask('POST', '/sms/credits', wish)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.filter(({ body }) => body.data.is_replay === false)).toHaveLength(1)
    expect([await moneyOf(shop), await creditsOf(shop)]).toEqual([2_750, 500])
    const other = await shop.ask('POST', '/sms/credits', { credits: 100, price: 5, reference: 'pack-1' })
    expect([other.status, other.headers['x-error-reason']]).toEqual([409, 'reference_taken'])
    expect((await shop.ask('GET', '/sms')).body.data).toMatchObject({ credits: 500, balance: 27.5, is_business: true })
  })

  it('move nothing when the wallet holds too little, the price is another, or the account is no business', async () => {
    const shop = await makeShop(0)
    const refusedFor = async (credits: number, price: number) => {
      const { headers } = await shop.ask('POST', '/sms/credits', { credits, price, reference: newId() })
      return headers['x-error-reason']
    }
    expect(await refusedFor(5_000, 180)).toBe('insufficient_funds')
    expect(await refusedFor(500, 0.01)).toBe('price_changed')
    expect(await refusedFor(501, 22.5)).toBe('pack_not_sold')
    await db().updateTable('accounts').set({ is_business: false }).where('id', '=', shop.accountId).execute()
    expect(await refusedFor(100, 5)).toBe('business_account_needed')
    expect([await moneyOf(shop), await creditsOf(shop)]).toEqual([5_000, 0])
  })

  it('never cost more than the wallet holds, when two packs are bought at once', async () => {
    const shop = await makeShop(0)
    const buy = (reference: string) => shop.ask('POST', '/sms/credits', { credits: 1_000, price: 40, reference })
    const answers = await Promise.all([buy('one'), buy('two')])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
    expect([await moneyOf(shop), await creditsOf(shop)]).toEqual([1_000, 1_000])
  })
})

describe('a campaign of a person', () => {
  it('is one campaign under its reference, also when its list has changed before the retry', async () => {
    const shop = await makeShop()
    const { list_id } = (await shop.ask('POST', '/sms/lists', { name: 'Customers' })).body.data
    await shop.ask('POST', `/sms/lists/${list_id}/import`, { text: linesOfNumbers(3), is_dry_run: false })
    const wish = { recipients: '+233 24 100 0000\n00447700900123', list_ids: [list_id], credits: 3, reference: 'once' }
    const first = await send(shop, wish)
    await shop.ask('POST', `/sms/lists/${list_id}/import`, { text: '0209999999', is_dry_run: false })
    const again = await send(shop, wish)
    expect([first.body.data.is_replay, again.body.data.is_replay]).toEqual([false, true])
    expect(again.body.data.campaign_id).toBe(first.body.data.campaign_id)
    expect(await creditsOf(shop)).toBe(97)
    expect((await send(shop, { ...wish, message: 'Another text' })).status).toBe(409)
  })

  it('is refused without a charge when it costs other than was shown, reaches nobody, or its text is blocked', async () => {
    const shop = await makeShop()
    const reasonOf = async (more: Record<string, unknown>) => (await send(shop, more)).headers['x-error-reason']
    expect(await reasonOf({ credits: 1 })).toBe('price_changed')
    expect(await reasonOf({ recipients: 'nobody', credits: 1 })).toBe('no_recipients')
    expect(await reasonOf({ list_ids: [newId()] })).toBe('list_not_found')
    expect(await reasonOf({ scheduled_at: new Date(Date.now() - 1_000).toISOString() })).toBe('schedule_out_of_range')
    const receipt = 'You have received GHS 100.00 from KOFI. MTN Mobile Money. New balance GHS 120'
    const check = await shop.ask('POST', '/sms/check-text', { message: receipt })
    expect(check.body.data.blocked_because).toMatch(/telecom|mobile money/)
    expect(await reasonOf({ message: receipt })).toBe('content_blocked')
    expect(await creditsOf(shop)).toBe(100)
  })
})

describe('a scheduled campaign', () => {
  it('is paid when it is scheduled, started once at its time by however many workers, and says so in the API', async () => {
    const shop = await makeShop()
    const at = soon()
    const id = await placed(shop, { scheduled_at: at })
    expect([await creditsOf(shop), (await stateOf(shop, id)).state]).toEqual([98, 'scheduled'])
    await expandCampaigns(db())
    expect((await readCampaignRow(shops.bench, id)).status).toBe('queued')
    await makeDue(id)
    await Promise.all(Array.from({ length: 4 }, () => expandCampaigns(db())))
    expect((await readMessages(shops.bench, id)).map(({ n }) => n)).toEqual([1, 2])
    expect((await stateOf(shop, id)).state).toBe('sending')
  })

  it('starts after a crash in the middle of its start', async () => {
    const shop = await makeShop()
    const id = await placed(shop, { scheduled_at: soon() })
    await makeDue(id)
    // An interrupted start leaves nothing behind.
    const dying = inTransaction(db(), async (tx) => {
      await sql`select from sms_campaigns where id = ${id} for update`.execute(tx)
      expect(await expandCampaigns(db())).toBe(0)
      throw new Error('the worker died')
    })
    await expect(dying).rejects.toThrow('the worker died')
    await expandCampaigns(db())
    expect(await readMessages(shops.bench, id)).toHaveLength(2)
  })

  it('cancelled against its start ends once: not sent, and its credits are back', async () => {
    const shop = await makeShop()
    for (let round = 0; round < 5; round += 1) {
      const id = await placed(shop, { scheduled_at: soon() })
      await makeDue(id)
      const order = { accountId: shop.accountId, campaignId: id, actor }
      await Promise.all([expandCampaigns(db()), cancelCampaign(db(), order), cancelCampaign(db(), order)])
      await concludeNow(shops.bench)
      expect(await stateOf(shop, id)).toMatchObject({ state: 'cancelled', cancelled_by: 'account', cancel_reason: null })
      expect(new Set((await readMessages(shops.bench, id)).map(({ status }) => status))).toEqual(new Set(['failed']))
    }
    expect(await creditsOf(shop)).toBe(100)
  })

  it('tells its account when the operator cancelled it', async () => {
    const shop = await makeShop()
    const id = await placed(shop, { scheduled_at: soon() })
    expect((await stateOf(shop, id)).cancelled_by).toBeNull()
    await cancelCampaign(db(), { accountId: shop.accountId, campaignId: id, actor, operatorReason: 'a scam' })
    expect(await stateOf(shop, id)).toMatchObject({ state: 'cancelled', cancelled_by: 'operator' })
    const { body } = await shop.ask('GET', `/sms/campaigns/${id}/failures.csv`)
    expect(String(body)).toMatch(/^\d{10},"?Not sent, we cancelled"?,cancelled,/m)
  })

  it('is not sent when its account was suspended meanwhile, and its credits come back', async () => {
    const shop = await makeShop()
    const id = await placed(shop, { scheduled_at: soon() })
    await makeDue(id)
    await db().updateTable('accounts').set({ status: 'suspended' }).where('id', '=', shop.accountId).execute()
    await expandCampaigns(db())
    const holder = await inherit()
    const claimed = await claimMessages(db(), holder, plan, wanted(500), new Map())
    expect(claimed.filter(({ campaignId }) => campaignId === id)).toEqual([])
    await concludeNow(shops.bench)
    expect(await stateOf(shop, id)).toMatchObject({
      state: 'cancelled',
      cancelled_by: 'platform',
      cancel_reason: 'account_suspended',
    })
    expect(await creditsOf(shop)).toBe(100)
    await inherit()
  })
})

describe('a running campaign', () => {
  it('cancelled, keeps what a link has claimed, and gives back the rest exactly once', async () => {
    const shop = await makeShop()
    await inherit()
    await sql`update sms_campaigns set paused_at = now(), paused_by = 'test' where status = 'processing'`.execute(
      shops.bench.app.database.ownerDb,
    )
    const id = await placed(shop, { recipients: linesOfNumbers(10), credits: 10 })
    await expandCampaigns(db())
    const holder = await inherit()
    const claimed = await claimMessages(db(), holder, plan, wanted(4), new Map())
    await commitWindow(db(), holder, claimed.slice(0, 3), [])
    const cancelled = await shop.ask('POST', `/sms/campaigns/${id}/cancel`)
    expect(cancelled.body.data).toMatchObject({ state: 'cancelling', delivery: { queued: 4, failed: 6 } })
    const { messages } = (await shop.ask('GET', `/sms/campaigns/${id}/messages`)).body.data
    const areCancelled = messages.map(({ status, is_cancelled }: { status: string; is_cancelled: boolean }) => {
      return is_cancelled === (status === 'failed')
    })
    expect(areCancelled).toEqual(Array.from({ length: 10 }, () => true))
    expect(await creditsOf(shop)).toBe(90)
    await sql`update sms_messages set created_at = created_at - interval '6 minutes' where campaign_id = ${id}`.execute(
      shops.bench.app.database.ownerDb,
    )
    await raiseSmsAlarms(db(), pino({ level: 'silent' }))
    expect(await db().selectFrom('alarms').select('subject').where('name', '=', 'sms_not_sent').execute()).toEqual([])
    // The process of the link dies: three were perhaps sent, one surely was not.
    await inherit()
    await concludeNow(shops.bench)
    expect((await stateOf(shop, id)).delivery).toEqual({ queued: 3, failed: 7 })
    const answer: SmsAnswer = { meaning: 'accepted', evidence: 'taken', messageIds: ['a1'] }
    const late = claimed.slice(0, 3).map((each) => ({ message: each, answer, hasOtherSupplier: false, isLate: true }))
    const next = await inherit()
    await commitWindow(db(), next, [], late)
    await inherit()
    await concludeNow(shops.bench)
    expect(await stateOf(shop, id)).toMatchObject({
      state: 'cancelled',
      credits_charged: 10,
      credits_refunded: 7,
      delivery: { sent: 3, failed: 7 },
    })
    expect((await shop.ask('POST', `/sms/campaigns/${id}/cancel`)).status).toBe(200)
    expect(await creditsOf(shop)).toBe(97)
  })

  it('paused, is claimed by no link until it is resumed', async () => {
    const shop = await makeShop()
    const id = await placed(shop)
    const early = await shop.ask('POST', `/sms/campaigns/${id}/pause`)
    expect(early.headers['x-error-reason']).toBe('campaign_not_running')
    await expandCampaigns(db())
    expect((await shop.ask('POST', `/sms/campaigns/${id}/pause`)).body.data.state).toBe('paused')
    const holder = await inherit()
    const claimedOf = async () => {
      const claimed = await claimMessages(db(), holder, plan, wanted(500), new Map())
      return claimed.filter(({ campaignId }) => campaignId === id).length
    }
    expect(await claimedOf()).toBe(0)
    await pauseCampaign(db(), { accountId: shop.accountId, campaignId: id, actor }, false)
    expect(await claimedOf()).toBe(2)
    await inherit()
    const strange = await makeShop()
    expect((await strange.ask('POST', `/sms/campaigns/${id}/cancel`)).status).toBe(404)
  })
})

describe('campaigns that cannot be settled', () => {
  it('do not keep another one from being cancelled, nor from ending at its deadline', async () => {
    const { ownerDb } = shops.bench.app.database
    const shop = await makeShop()
    const [cancelled, overdue] = [await placed(shop), await placed(shop)]
    await expandCampaigns(db())
    await inherit()
    // Adds a full page of campaigns whose ids come before the others. None has an order, so none can be settled.
    await sql`
      insert into sms_campaigns
      select stuck.* from sms_campaigns as campaign, generate_series(1, 200) as n, lateral jsonb_populate_record(campaign,
        jsonb_build_object('id', left(first_id_at(now() - interval '1 day')::text, 24) || lpad(n::text, 12, '0'), 'open_count', 0)) as stuck
      where campaign.id = ${cancelled}`.execute(ownerDb)
    const order = { accountId: shop.accountId, campaignId: cancelled, actor }
    await cancelCampaign(db(), order)
    expect(await creditsOf(shop)).toBe(98)
    await expireDeadlines(shops.bench, overdue)
    await expect(concludeNow(shops.bench)).rejects.toThrow('200 campaigns could not be settled')
    expect(await readCampaignRow(shops.bench, overdue)).toMatchObject({ status: 'failed', credits_refunded: 2 })
    await sql`delete from sms_campaigns where id < first_id_at(now() - interval '12 hours')`.execute(ownerDb)
  })
})
