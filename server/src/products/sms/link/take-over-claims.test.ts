import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { retryWhileBusy } from '../../../../test/retry-while-busy.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { newId } from '../../../platform/database/new-id.ts'
import type { SmsAnswer } from '../../../suppliers/sms-ports.ts'
import { expandCampaigns } from '../campaigns/expand-campaigns.ts'
import { createFreshSettings, type SmsBench, startSmsBench, until } from '../sms-bench.fixture.ts'
import { type ClaimedMessage, type ClaimPlan, claimMessages, dropUnknownClaims, lockClaims } from './claim-messages.ts'
import { commitWindow, LinkTakenOverError } from './commit-window.ts'
import { concludeOverdue } from './conclude-overdue.ts'
import { releaseOrphanedClaims, takeOverClaims } from './take-over-claims.ts'

let bench: SmsBench
let campaignId: string

const plan: ClaimPlan = { MTN: [], Telecel: [], AT: [], any: [] }
const inheritance = { isResubmitting: false, receiptDays: 7 }
const all = { limit: 500, isBulkToo: true, deadlineHours: 24 }
const taken: SmsAnswer = { meaning: 'accepted', evidence: 'taken', messageIds: ['a1'] }
const answerTo = (message: ClaimedMessage, answer = taken) => ({ message, answer, hasOtherSupplier: false, isLate: false })

beforeEach(async () => {
  bench = await startSmsBench()
  const reseller = await bench.makeSmsReseller(1_000)
  const recipients = Array.from({ length: 501 }, (_, n) => `0${241_000_000 + n * 1_000}`)
  campaignId = (await bench.send(reseller, { message: 'Your order is ready.', recipients })).body.data.campaignId as string
  await expandCampaigns(bench.app.database.db)
})
afterEach(async () => {
  const broken = await bench.audit()
  await bench.close()
  if (broken.length > 0) throw new Error(`the audit found ${broken.join(', ')}`)
})

const db = () => bench.app.database.db
const inherit = (isResubmitting = false) => takeOverClaims(db(), 'smsc', { ...inheritance, isResubmitting })

async function counts(): Promise<Record<string, number>> {
  const { rows } = await sql<{ submit: string; count: number }>`
    select submit, count(*) as count from sms_messages where campaign_id = ${campaignId} group by submit`.execute(db())
  return Object.fromEntries(rows.map(({ submit, count }) => [submit, count]))
}

it('a crash leaves unknown what stood in the window, and nothing else: the rest of the claim waits, and kept answers are written', async () => {
  const holder = await inherit()
  const claimed = await claimMessages(db(), holder, plan, { limit: 100, isBulkToo: true, deadlineHours: 24 }, new Map())
  await commitWindow(db(), holder, claimed.slice(0, 50), [])
  await commitWindow(
    db(),
    holder,
    claimed.slice(20, 70),
    claimed.slice(0, 20).map((message) => answerTo(message)),
  )
  expect(await counts()).toEqual({ waiting: 501 })

  const next = await inherit()
  expect(await counts()).toEqual({ answered: 20, unanswered: 50, waiting: 431 })
  expect(await claimMessages(db(), next, plan, all, new Map())).toHaveLength(431)
})

it('where the operator allows it, what stood in the window waits again', async () => {
  const holder = await inherit()
  const claimed = await claimMessages(db(), holder, plan, { limit: 50, isBulkToo: true, deadlineHours: 24 }, new Map())
  await commitWindow(db(), holder, claimed, [])
  await inherit(true)
  expect(await counts()).toEqual({ waiting: 501 })
})

it('a holder whose link was taken over claims nothing, keeps nothing, and takes nothing from the new one', async () => {
  const before = await inherit()
  const [message] = await claimMessages(db(), before, plan, { limit: 1, isBulkToo: true, deadlineHours: 24 }, new Map())
  const holder = await inherit()
  const claimed = await claimMessages(db(), holder, plan, { limit: 10, isBulkToo: true, deadlineHours: 24 }, new Map())
  await commitWindow(db(), holder, claimed, [])

  expect(await claimMessages(db(), before, plan, all, new Map())).toEqual([])
  await dropUnknownClaims(db(), before, [])
  const answers = [answerTo(message as ClaimedMessage)]
  await expect(commitWindow(db(), before, [], answers)).rejects.toThrow(LinkTakenOverError)
  await inherit()
  expect(await counts()).toEqual({ unanswered: 10, waiting: 491 })
})

it('a claim whose commit nobody answered is given up, also when that commit is still on its way', async () => {
  const holder = await inherit()
  const isHeld = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const claiming = inTransaction(db(), async (tx) => {
    await lockClaims(tx)
    await sql`insert into sms_claims (id, supplier, campaign_id, numbers) values (gen_random_uuid(), 'smsc', ${campaignId}, '{1,2}')`.execute(
      tx,
    )
    isHeld.resolve()
    await mayCommit.promise
  })
  await isHeld.promise
  const dropping = dropUnknownClaims(db(), holder, [])
  await until('the one waits for the other', async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      bench.app.database.ownerDb,
    )
    return rows.length > 0
  })
  mayCommit.resolve()
  await Promise.all([claiming, dropping])
  expect(await claimMessages(db(), holder, plan, all, new Map())).toHaveLength(500)
  expect(await claimMessages(db(), holder, plan, all, new Map())).toHaveLength(1)
})

it('two links never claim the same message, however many claim at once', async () => {
  const holders = [await inherit(), await takeOverClaims(db(), 'second', inheritance)]
  const claims = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      claimMessages(
        db(),
        holders[n % 2] as (typeof holders)[0],
        plan,
        { limit: 40, isBulkToo: true, deadlineHours: 24 },
        new Map(),
      ),
    ),
  )
  const numbers = claims.flat().map(({ n }) => n)
  expect(numbers).toHaveLength(480)
  expect(new Set(numbers).size).toBe(480)
})

it('claims of a link without a holder are given back; those of one that is held are not', async () => {
  const holder = await inherit()
  const claimed = await claimMessages(db(), holder, plan, all, new Map())
  await commitWindow(db(), holder, claimed.slice(0, 5), [])
  await sql`insert into sms_links (supplier, state) values ('smsc', 'bound')`.execute(db())
  await releaseOrphanedClaims(db(), 7)
  expect(await counts()).toEqual({ waiting: 501 })
  await sql`update sms_links set seen_at = seen_at - interval '2 minutes'`.execute(db())
  await releaseOrphanedClaims(db(), 7)
  expect(await counts()).toEqual({ unanswered: 5, waiting: 496 })
})

it('the deadline leaves to a link what it has just claimed, and fails what nobody has', async () => {
  const holder = await inherit()
  await claimMessages(db(), holder, plan, { limit: 100, isBulkToo: true, deadlineHours: 24 }, new Map())
  await sql`insert into sms_links (supplier, state) values ('smsc', 'bound')`.execute(db())
  await sql`update sms_campaigns set expanded_at = expanded_at - interval '25 hours'`.execute(bench.app.database.ownerDb)
  await concludeOverdue({ db: db(), settings: createFreshSettings(db()), log: pino({ level: 'silent' }) })
  expect(await counts()).toEqual({ answered: 401, waiting: 100 })
})

it('a message past its deadline is claimed by nobody: what came back to the waiting ones fails with them', async () => {
  const holder = await inherit()
  await sql`update sms_campaigns set expanded_at = expanded_at - interval '25 hours'`.execute(bench.app.database.ownerDb)
  expect(await claimMessages(db(), holder, plan, all, new Map())).toEqual([])
  expect(await claimMessages(db(), holder, plan, { ...all, deadlineHours: 26 }, new Map())).toHaveLength(500)
})

it.each([
  ['at the deadline', sql`expanded_at = expanded_at - interval '25 hours'`],
  ['when all are cancelled', sql`cancelled_at = clock_timestamp(), cancelled_by = 'ama'`],
])('campaigns that wait for a link’s answer do not hide those behind them %s', async (_when, end) => {
  const holder = await inherit()
  const reseller = await bench.makeSmsReseller(100)
  const send = (recipients: string) => {
    const body = { message: 'Your order is ready.', recipients, reference: newId() }
    // On a busy machine an answer may come too late. Then the outcome is unknown, and the repeat with the reference tells it.
    return retryWhileBusy(
      () => bench.send(reseller, body),
      ({ status }) => status === 503,
    )
  }
  const answers = await Promise.all(Array.from({ length: 52 }, () => send(bench.freshNumber())))
  const last = answers
    .map(({ body }) => body.data.campaignId as string)
    .toSorted()
    .at(-1)
  while ((await expandCampaigns(db())) > 0);
  await claimMessages(db(), holder, plan, { limit: 100, isBulkToo: false, deadlineHours: 24 }, new Map())
  await sql`delete from sms_claims where campaign_id = ${last}`.execute(db())
  await sql`insert into sms_links (supplier, state) values ('smsc', 'bound')`.execute(db())
  await sql`update sms_campaigns set ${end} where id <> ${campaignId}`.execute(bench.app.database.ownerDb)
  await concludeOverdue({ db: db(), settings: createFreshSettings(db()), log: pino({ level: 'silent' }) })
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from sms_campaigns where status <> 'processing'`.execute(db())
  expect(rows).toEqual([{ id: last, status: 'failed' }])
})
