import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { untilTrue } from '../test/patience.ts'
import { explainStatements } from '../test/running/explain-statements.ts'
import { readTodayThatLasts } from '../test/running/today-that-lasts.ts'
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts'
import { readConfig } from './config.ts'
import { makeAccount } from './orders/dispatch/order-bench.fixture.ts'
import { rememberAcknowledged } from './orders/history/acknowledged-orders.ts'
import type { Db, Tables } from './platform/database/database.ts'
import { type Epoch, watchEpoch } from './platform/database/epoch.ts'
import { firstIdAt } from './platform/database/first-id-at.ts'
import type { HistoryWatch } from './platform/history/history-watch.ts'
import { createPartitions } from './platform/partitions/partitions.ts'
import { openSettings } from './platform/settings/settings.ts'
import { expandCampaigns } from './products/sms/campaigns/expand-campaigns.ts'
import { claimMessages } from './products/sms/link/claim-messages.ts'
import { concludeOverdue } from './products/sms/link/conclude-overdue.ts'
import { readSmsWork } from './products/sms/link/run-sms-loop.ts'
import { takeOverClaims } from './products/sms/link/take-over-claims.ts'
import { startWorker } from './worker.ts'

/**
 * What processes ask at their start and again and again is planned for no month that it does not need. To plan a statement for
 * the partitions of 36 months takes longer than to run it, and each connection plans it anew.
 */
const oldestMonth = 33

const log = pino({ level: 'silent' })

let database: TestDatabase
let db: Db
let epoch: Epoch
let accountId: string

const [year = 0, month = 0] = (await readTodayThatLasts()).split('-').map(Number)
const monthOf = (ago: number) => new Date(Date.UTC(year, month - 1 - ago, 1))

/** The months after which partitions are named, as `_2026_11`, from `ago` months ago to the last one there is. */
const monthsSince = (ago: number) =>
  Array.from(
    { length: ago + 3 },
    (_, index) =>
      `_${monthOf(ago - index)
        .toISOString()
        .slice(0, 7)
        .replace('-', '_')}`,
  )

beforeAll(async () => {
  database = await createTestDatabase()
  ;({ db } = database)
  await createPartitions(db, monthOf(oldestMonth))
  accountId = await makeAccount(db)
  epoch = await watchEpoch(db, 500)
})
beforeEach(async () => {
  await sql`truncate sms_campaigns, sms_messages, open_orders, sms_claims, sms_windows`.execute(database.ownerDb)
})
afterAll(async () => {
  epoch.stop()
  await database.drop()
})

/** The months whose partitions are in the plans of the statements of some work. */
async function monthsPlanned(work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const scans = await explainStatements(database.applicationUrl, work)
  expect(scans.length).toBeGreaterThan(0)
  return [...new Set(scans.flatMap(({ table }) => /_\d{4}_\d\d(?=_|$)/.exec(table)?.[0] ?? []))].toSorted()
}

let campaigns = 0

/** Writes a campaign to one number that waits to be expanded, as if it had been placed some months ago. */
async function writeCampaign(ago: number): Promise<string> {
  campaigns += 1
  const id = firstIdAt(monthOf(ago).getTime() + campaigns)
  await sql`insert into orders (id, account_id, kind, reference, status, price, recipient, details)
    values (${id}, ${accountId}, 'sms', ${id}, 'pending', 1, '', '{}')`.execute(db)
  await sql`insert into open_orders (order_id, route, next_step_at) values (${id}, 'loop/sms', 'infinity')`.execute(db)
  await sql`insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments, recipients,
      recipients_count, credits_charged, open_count, is_bulk)
    values (${id}, ${accountId}, 'queued', 'api', 'AMA', 'x', 'gsm7', 'standard', 1, '{233241234567}', 1, 1, 1, false)`.execute(
    db,
  )
  return id
}

const settings = () => openSettings(db, epoch)
const claim = (tested: Db, token: string) =>
  claimMessages(
    tested,
    { supplier: 'smsc', token },
    { any: [], MTN: [] },
    { limit: 10, isBulkToo: true, deadlineHours: 24 },
    new Map(),
  )

it('what is due, which a worker asks once a second, names no table of orders', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'makola-planned-'))
  const pool = new pg.Pool({ connectionString: database.applicationUrl, max: 10 })
  const asked: CompiledQuery[] = []
  const isQuestion = ({ sql: text }: CompiledQuery) => text.startsWith('select array[') && text.includes('setting_returns')
  const watched: Db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void (isQuestion(query) && asked.push(query)),
  })
  const worker = await startWorker(readConfig({ DATA_DIR: folder }), watched, log)
  await untilTrue(
    async () => asked.length > 0,
    () => 'the worker has not asked what is due',
  )
  await worker.stop()
  await watched.destroy()
  await rm(folder, { recursive: true })
  expect(await monthsPlanned(async (tested) => tested.executeQuery(asked[0] as CompiledQuery))).toEqual([])
})

it('while no campaign is open, the loop of SMS, its links and its timer plan for no month', async () => {
  const planned = await monthsPlanned(async (tested) => {
    await readSmsWork(tested)
    await expandCampaigns(tested)
    const { token } = await takeOverClaims(tested, 'smsc', { isResubmitting: false, receiptDays: 7 })
    await claim(tested, token)
    await concludeOverdue({ db: tested, settings: settings(), log })
  })
  expect(planned).toEqual([])
})

it('a campaign of twenty months ago that is still open is found, with no month before it', async () => {
  const id = await writeCampaign(20)
  const found: unknown[] = []
  const before = await monthsPlanned(async (tested) => found.push(await readSmsWork(tested)))
  expect(await expandCampaigns(db)).toBe(1)
  const after = await monthsPlanned(async (tested) => {
    found.push(await readSmsWork(tested))
    const { token } = await takeOverClaims(tested, 'smsc', { isResubmitting: false, receiptDays: 7 })
    found.push((await claim(tested, token)).map(({ campaignId }) => campaignId))
  })
  expect(found).toEqual([
    { isCampaignDue: true, isMessageWaiting: false },
    { isCampaignDue: false, isMessageWaiting: true },
    [id],
  ])
  expect([before, after]).toEqual([monthsSince(20), monthsSince(20)])
})

it('the timer concludes and settles a campaign of twenty months ago that is still open', async () => {
  const id = await writeCampaign(20)
  await writeCampaign(0)
  await expandCampaigns(db)
  await sql`update sms_campaigns set expanded_at = now() - interval '1 year' where id = ${id}`.execute(db)
  await concludeOverdue({ db, settings: settings(), log })
  const written = await db.selectFrom('sms_campaigns').select('status').orderBy('id').execute()
  expect(written.map(({ status }) => status)).toEqual(['failed', 'processing'])
  expect(await db.selectFrom('open_orders').select('order_id').execute()).toHaveLength(1)
})

it('an API that starts looks for no order, unless people had one placed again', async () => {
  const history = { onNewServer: () => undefined, onGap: () => undefined, onAccepted: () => undefined } as unknown as HistoryWatch
  const remember = (tested: Db) => rememberAcknowledged(history, { db: tested, epoch: { onRead: () => () => undefined } })
  expect(await monthsPlanned(remember)).toEqual([])
  const placed = await writeCampaign(20)
  const lost = firstIdAt(monthOf(20).getTime())
  await sql`insert into history_gaps (id, reason, noticed_by, went_back_to, known_until) values (${placed}, 'r', 'test', now(), now())`.execute(
    db,
  )
  for (const id of [placed, lost])
    await sql`insert into missing_orders (order_id, gap_id, account_id, price, acknowledged_at, kind, reference, repeat_key, released_at,
        released_by, is_placed_again)
      values (${id}, ${placed}, ${accountId}, 1, now(), 'data', ${id}, ${id}, now(), 'test', true)`.execute(db)
  const acknowledged = await remember(db)
  expect([placed, lost].map((key) => acknowledged.findToPlaceAgain(key)?.orderId)).toEqual([undefined, lost])
  expect(await monthsPlanned(remember)).toEqual(monthsSince(20).slice(0, 1))
})
