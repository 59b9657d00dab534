import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../../../test/makers.ts'
import { openBrowser, type TestBrowser } from '../../../../test/open-browser.ts'
import { testPassword } from '../../../../test/set-up-people.ts'
import { creditWallet } from '../../../money/credit-wallet.ts'
import { readWallet } from '../../../money/read-wallet.ts'
import { hashPersonPassword } from '../../../people/auth/open-auth.ts'
import { createMember } from '../../../people/manage-people.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { newId } from '../../../platform/database/new-id.ts'
import type { SmsAnswer } from '../../../suppliers/sms-ports.ts'
import { expandCampaigns } from '../campaigns/expand-campaigns.ts'
import { createContactList } from '../contacts/contact-lists.ts'
import { cancelCampaign, pauseCampaign } from '../link/cancel-campaign.ts'
import { type ClaimPlan, claimMessages } from '../link/claim-messages.ts'
import { raiseSmsAlarms } from '../link/conclude-overdue.ts'
import { inheritClaims } from '../link/inherit-claims.ts'
import { keepWindow } from '../link/keep-window.ts'
import {
  concludeNow,
  expireDeadlines,
  readCampaignRow,
  readMessages,
  type SmsBench,
  startSmsBench,
} from '../sms-bench.fixture.ts'
import { saveDraft } from './drafts.ts'

/** No worker runs here, so that each test decides when a campaign starts and what a link has claimed. */
let bench: SmsBench
const browsers: TestBrowser[] = []

beforeAll(async () => {
  bench = await startSmsBench()
})
afterAll(async () => {
  await Promise.all(browsers.map((each) => each.close()))
  const broken = await bench.audit()
  await bench.close()
  if (broken.length > 0) throw new Error(`the audit found ${broken.join(', ')}`)
})

const db = () => bench.app.database.db
const message = 'Your order is ready.'
const numbersOf = (count: number) => Array.from({ length: count }, (_, n) => `0${241_000_000 + n * 1_000}`).join('\n')
const soon = () => new Date(Date.now() + 3_600_000).toISOString()

type Shop = { readonly accountId: string; readonly page: TestBrowser; readonly ask: TestBrowser['ask'] }

/** An owner of a business, signed in, with GHS 50.00 and some credits. */
async function makeShop(credits = 100): Promise<Shop> {
  const { accountId } = await makeAccount(db(), { balancePesewas: 5_000 })
  const email = `owner-${newId()}@example.test`
  const passwordHash = await hashPersonPassword(testPassword)
  await inTransaction(db(), async (tx) => {
    await createMember(tx, { email, passwordHash, account: accountId, role: 'owner', actor: 'test' })
  })
  if (credits > 0) {
    await inTransaction(db(), (tx) => creditWallet(tx, { accountId, purse: 'sms_credits', amount: credits, actor: 'test' }))
  }
  const page = await openBrowser(bench.app)
  browsers.push(page)
  await page.ask('POST', '/app/api/sign-in', { email, password: testPassword })
  await db().deleteFrom('rate_limits').execute()
  return { accountId, page, ask: (method, path, body) => page.ask(method, `/app/api${path}`, body) }
}

const creditsOf = async ({ accountId }: Shop) => (await readWallet(db(), { accountId, purse: 'sms_credits' })).balance
const moneyOf = async ({ accountId }: Shop) => (await readWallet(db(), { accountId, purse: 'main' })).balance
const actor = 'owner@example.test'

async function send(shop: Shop, more: Record<string, unknown> = {}) {
  const campaign = { message, recipients: numbersOf(2), list_ids: [], credits: 2, reference: newId(), ...more }
  return shop.ask('POST', '/sms/send', campaign)
}

async function placed(shop: Shop, more: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await send(shop, more)
  expect(status).toBe(200)
  return body.data.campaign_id as string
}

const stateOf = async (shop: Shop, id: string) => (await shop.ask('GET', `/sms/campaigns/${id}`)).body.data

const plan: ClaimPlan = { MTN: [], Telecel: [], AT: [], any: [] }
const inherit = () => inheritClaims(db(), 'smsc', { isResubmitting: false, receiptDays: 7 })
const wanted = (limit: number) => ({ limit, isBulkToo: true, deadlineHours: 24 })

async function makeDue(id: string): Promise<void> {
  await sql`update sms_campaigns set scheduled_at = now() - interval '1 second' where id = ${id}`.execute(
    bench.app.database.ownerDb,
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
    expect(await refusedFor(500, 0.01)).toBe('pack_not_sold')
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
    await shop.ask('POST', `/sms/lists/${list_id}/import`, { text: numbersOf(3), is_dry_run: false })
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
    expect(await reasonOf({ credits: 1 })).toBe('cost_changed')
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
    expect((await readCampaignRow(bench, id)).status).toBe('queued')
    await makeDue(id)
    await Promise.all(Array.from({ length: 4 }, () => expandCampaigns(db())))
    expect((await readMessages(bench, id)).map(({ n }) => n)).toEqual([1, 2])
    expect((await stateOf(shop, id)).state).toBe('sending')
  })

  it('starts after a crash in the middle of its start', async () => {
    const shop = await makeShop()
    const id = await placed(shop, { scheduled_at: soon() })
    await makeDue(id)
    // The transaction of a start that dies leaves nothing behind.
    const dying = inTransaction(db(), async (tx) => {
      await sql`select from sms_campaigns where id = ${id} for update`.execute(tx)
      expect(await expandCampaigns(db())).toBe(0)
      throw new Error('the worker died')
    })
    await expect(dying).rejects.toThrow('the worker died')
    await expandCampaigns(db())
    expect(await readMessages(bench, id)).toHaveLength(2)
  })

  it('cancelled against its start ends once: not sent, and its credits are back', async () => {
    const shop = await makeShop()
    for (let round = 0; round < 5; round += 1) {
      const id = await placed(shop, { scheduled_at: soon() })
      await makeDue(id)
      const order = { accountId: shop.accountId, campaignId: id, actor }
      await Promise.all([expandCampaigns(db()), cancelCampaign(db(), order), cancelCampaign(db(), order)])
      await concludeNow(bench)
      expect((await stateOf(shop, id)).state).toBe('cancelled')
      expect(new Set((await readMessages(bench, id)).map(({ status }) => status))).toEqual(new Set(['failed']))
    }
    expect(await creditsOf(shop)).toBe(100)
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
    await concludeNow(bench)
    expect(await stateOf(shop, id)).toMatchObject({ state: 'cancelled', cancel_reason: 'account_suspended' })
    expect(await creditsOf(shop)).toBe(100)
    await inherit()
  })
})

describe('a running campaign', () => {
  it('cancelled, keeps what a link has claimed, and gives back the rest exactly once', async () => {
    const shop = await makeShop()
    await inherit()
    await sql`update sms_campaigns set paused_at = now(), paused_by = 'test' where status = 'processing'`.execute(
      bench.app.database.ownerDb,
    )
    const id = await placed(shop, { recipients: numbersOf(10), credits: 10 })
    await expandCampaigns(db())
    const holder = await inherit()
    const claimed = await claimMessages(db(), holder, plan, wanted(4), new Map())
    await keepWindow(db(), holder, claimed.slice(0, 3), [])
    const cancelled = await shop.ask('POST', `/sms/campaigns/${id}/cancel`)
    expect(cancelled.body.data).toMatchObject({ state: 'cancelling', delivery: { queued: 4, failed: 6 } })
    expect(await creditsOf(shop)).toBe(90)
    // What a link still has of it waits for no link, however long.
    await sql`update sms_messages set created_at = created_at - interval '6 minutes' where campaign_id = ${id}`.execute(
      bench.app.database.ownerDb,
    )
    await raiseSmsAlarms(db(), pino({ level: 'silent' }))
    expect(await db().selectFrom('alarms').select('subject').where('name', '=', 'sms_not_sent').execute()).toEqual([])
    // The process of the link dies: three were perhaps sent, one surely was not.
    await inherit()
    await concludeNow(bench)
    expect((await stateOf(shop, id)).delivery).toEqual({ queued: 3, failed: 7 })
    const answer: SmsAnswer = { meaning: 'accepted', evidence: 'taken', messageIds: ['a1'] }
    const late = claimed.slice(0, 3).map((each) => ({ message: each, answer, hasOtherSupplier: false, isLate: true }))
    const next = await inherit()
    await keepWindow(db(), next, [], late)
    await inherit()
    await concludeNow(bench)
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
    const { ownerDb } = bench.app.database
    const shop = await makeShop()
    const [cancelled, overdue] = [await placed(shop), await placed(shop)]
    await expandCampaigns(db())
    await inherit()
    // As many as a page has, all before the others, and none with an order.
    await sql`
      insert into sms_campaigns
      select stuck.* from sms_campaigns as campaign, generate_series(1, 200) as n, lateral jsonb_populate_record(campaign,
        jsonb_build_object('id', '00000000-0000-7000-8000-' || lpad(n::text, 12, '0'), 'open_count', 0)) as stuck
      where campaign.id = ${cancelled}`.execute(ownerDb)
    const order = { accountId: shop.accountId, campaignId: cancelled, actor }
    await cancelCampaign(db(), order)
    expect(await creditsOf(shop)).toBe(98)
    await expireDeadlines(bench, overdue)
    await expect(concludeNow(bench)).rejects.toThrow('200 campaigns could not be settled')
    expect(await readCampaignRow(bench, overdue)).toMatchObject({ status: 'failed', credits_refunded: 2 })
    await sql`delete from sms_campaigns where id < '00000000-0000-7000-8000-000000001000'`.execute(ownerDb)
  })
})

describe('contacts', () => {
  it('are read from any paste or CSV, line by line, and a dry run changes nothing', async () => {
    const shop = await makeShop()
    const { list_id } = (await shop.ask('POST', '/sms/lists', { name: 'Customers' })).body.data
    const text = [
      'Name;Phone',
      '"Ama Mensah";"+233 24 123-4567"',
      'Kofi,0201234567',
      '241234567',
      '+44 7700 900123,Jane',
      '02412345',
      'Nobody',
      '',
      '0551234567, 0551234568',
    ].join('\r\n')
    const ask = (isDryRun: boolean) => shop.ask('POST', `/sms/lists/${list_id}/import`, { text, is_dry_run: isDryRun })
    const said = {
      added: 4,
      repeated: 1,
      known: 0,
      wrong_count: 3,
      wrong: [
        { line: 5, given: '+44 7700 900123', why: 'foreign' },
        { line: 6, given: '02412345', why: 'too_short' },
        { line: 7, given: 'Nobody', why: 'not_a_number' },
      ],
    }
    expect((await ask(true)).body.data).toEqual(said)
    expect((await shop.ask('GET', `/sms/lists/${list_id}`)).body.data.contacts).toEqual([])
    expect((await ask(false)).body.data).toEqual(said)
    expect((await ask(false)).body.data).toMatchObject({ added: 0, known: 4 })
    const { contacts } = (await shop.ask('GET', `/sms/lists/${list_id}`)).body.data
    expect(contacts).toEqual([
      { number: '233201234567', name: 'Kofi' },
      { number: '233241234567', name: 'Ama Mensah' },
      { number: '233551234567', name: null },
      { number: '233551234568', name: null },
    ])
    const strange = await makeShop()
    expect((await strange.ask('GET', `/sms/lists/${list_id}`)).status).toBe(404)
    await strange.ask('DELETE', `/sms/lists/${list_id}`)
    expect((await shop.ask('DELETE', '/sms/contacts/233201234567')).body.data).toEqual({ deleted: 1 })
    await shop.ask('DELETE', `/sms/lists/${list_id}`)
    expect((await shop.ask('GET', '/sms/lists')).body.data.lists).toEqual([])
  })

  it('fill a list up to what one campaign reaches, and no further', async () => {
    const shop = await makeShop()
    const { list_id } = (await shop.ask('POST', '/sms/lists', { name: 'Many' })).body.data
    const importing = (count: number) =>
      shop.ask('POST', `/sms/lists/${list_id}/import`, { text: numbersOf(count), is_dry_run: false })
    expect((await importing(10_001)).headers['x-error-reason']).toBe('list_too_long')
    expect((await importing(10_000)).body.data.added).toBe(10_000)
  })
})

describe('a text', () => {
  it('names every character that makes it cost more, with what may stand in its place', async () => {
    const shop = await makeShop()
    const text = `It’s ready – ${'a'.repeat(80)} 😀`
    expect((await shop.ask('POST', '/sms/check-text', { message: text })).body.data).toEqual({
      encoding: 'ucs2',
      segments: 2,
      unusual: [
        { character: '’', replacement: "'" },
        { character: '–', replacement: '-' },
        { character: '😀', replacement: '' },
      ],
      plain_segments: 1,
      blocked_because: null,
    })
  })

  it('is kept as a draft under the page’s own id, for its account alone', async () => {
    const [shop, strange] = [await makeShop(), await makeShop()]
    const draft = { message: 'Not yet', recipients: '0241234567', list_ids: [] }
    const path = `/sms/drafts/${newId()}`
    await shop.ask('PUT', path, draft)
    await shop.ask('PUT', path, { ...draft, message: 'Almost' })
    expect((await strange.ask('PUT', path, draft)).status).toBe(404)
    await strange.ask('DELETE', path)
    expect((await shop.ask('GET', '/sms/drafts')).body.data.drafts).toMatchObject([{ message: 'Almost' }])
    await shop.ask('DELETE', path)
    expect((await shop.ask('GET', '/sms/drafts')).body.data.drafts).toEqual([])
  })

  it('is one of fifty drafts, and a list one of a hundred, however many are kept at once', async () => {
    const { accountId } = await makeShop(0)
    await sql`
      insert into sms_drafts (id, account_id, message, recipients, list_ids, updated_by)
      select gen_random_uuid(), ${accountId}, '', '', '{}', 'test' from generate_series(1, 49)`.execute(db())
    await sql`
      insert into sms_lists (id, account_id, name)
      select gen_random_uuid(), ${accountId}, n::text from generate_series(1, 99) as n`.execute(db())
    const draft = { accountId, message: '', recipients: '', list_ids: [], sender: null, actor }
    const eight = Array.from({ length: 8 }, () => newId())
    const kept = await Promise.allSettled(eight.map((id) => saveDraft(db(), { ...draft, id })))
    const made = await Promise.allSettled(eight.map((name) => createContactList(db(), accountId, name)))
    for (const all of [kept, made]) expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
