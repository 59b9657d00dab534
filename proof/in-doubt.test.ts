import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest'
import { keptFolder } from '../server/test/running/test-folders.ts'
import { deniesCharge } from './src/breaches/classify.ts'
import { findJournalBreaches } from './src/breaches/find-journal-breaches.ts'
import { type LedgerWatch, watchLedger } from './src/breaches/watch-ledger.ts'
import type { Outcome } from './src/client.ts'
import type { ApiProcess } from './src/describe-processes.ts'
import { countStandstills, measureLostTime } from './src/faults/undisturbed.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { type Call, openJournal } from './src/journal.ts'
import { airtimeCall, billCall, makeAirtimeBody, makeBillBody, makeDataBody, singleCall } from './src/make-calls.ts'
import { type CommissionShop, liftRateLimits, openCommissionShop } from './src/open-shop.ts'
import { type PlacingDeps, placeOnce, placeUntilDefinite } from './src/place-surely.ts'
import { sendInBursts } from './src/send-in-bursts.ts'
import { waitUntil } from './src/wait-until.ts'

/** No caller waits longer than ten seconds (decisions A8), plus the time of the network on two busy cores. */
const answerSecondsMax = 10 + 2

/** Longer than any caller waits, so that nobody can learn the outcome in time. */
const frozenSeconds = 12

/** A query about a session without an answer after this time waits for a lock of it. A slow machine answers sooner. */
const lockedSeconds = 10

let installation: Installation
let shops: CommissionShop[]
let api: ApiProcess
let placing: PlacingDeps
let watch: LedgerWatch
/** Seconds during which the machine did not run this process. The time limits grow by them. */
let lostSeconds: () => number
let fileNo = 0

beforeAll(async () => {
  // On the disk: in memory a COMMIT is over before a session can be stopped in the middle of it.
  installation = await startInstallation({ apis: 1, workers: 0, folder: keptFolder })
  const names = ['ama', 'kofi', 'esi', 'yaw']
  const open = (name: string) => openCommissionShop(installation, { name, fundsGhs: '100000.00' })
  const [opened] = await Promise.all([Promise.all(names.map(open)), liftRateLimits(installation)])
  shops = opened
  api = installation.apis[0] as ApiProcess
})
afterAll(() => installation?.destroy())

beforeEach(async () => {
  fileNo += 1
  const journal = openJournal(join(installation.dataDir, `in-doubt-${fileNo}.jsonl`))
  const client = await installation.openClient({ connections: 512, patienceSeconds: 40 })
  placing = { client, journal, apis: installation.apis }
  watch = watchLedger(installation)
  lostSeconds = measureLostTime()
})
afterEach(async () => {
  lostSeconds()
  await installation.database.resumeReplication()
  await installation.database.resume()
  await watch.stop()
})

function callOf(name: string, no: number): Call {
  const shop = shops[no % shops.length] as CommissionShop
  if (no % 3 === 1) return airtimeCall(shop, makeAirtimeBody(`${name}-${no}`))
  return no % 3 === 2 ? billCall(shop, makeBillBody(`${name}-${no}`)) : singleCall(shop, makeDataBody(`${name}-${no}`))
}

type TimedOutcome = { readonly call: Call; readonly outcome: Outcome; readonly seconds: number }

async function placeTimed(call: Call): Promise<TimedOutcome> {
  const startedAt = performance.now()
  const outcome = await placeOnce(placing, api, call)
  return { call, outcome, seconds: (performance.now() - startedAt) / 1_000 }
}

const statusOf = ({ outcome }: TimedOutcome) => (outcome.kind === 'answer' ? outcome.status : outcome.code)
const isDenied = ({ outcome }: TimedOutcome) => outcome.kind === 'answer' && outcome.status !== 200 && deniesCharge(outcome)
const isUnknown = ({ outcome }: TimedOutcome) =>
  outcome.kind === 'answer' && outcome.headers['x-error-reason'] === 'outcome_unknown' && !deniesCharge(outcome)

async function findPlaced(calls: readonly Call[]): Promise<string[]> {
  const names = calls.flatMap(({ orders }) => orders.map(({ reference }) => reference))
  const rows = await installation.query<{ name: string }>(
    `select coalesce(account_references.reference, orders.reference) as name
     from orders left join account_references on account_references.order_id = orders.id
     where coalesce(account_references.reference, orders.reference) = any($1)`,
    [names],
  )
  return rows.map(({ name }) => name)
}

/** The sessions by which orders are placed. */
async function listIntakeSessions(): Promise<number[]> {
  const rows = await installation.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name like 'makola intake%'`,
  )
  return rows.map(({ pid }) => pid)
}

/**
 * Returns whether a stopped session has written something that it now commits, by COMMIT or by the call that commits by itself.
 * Another statement of a transaction can have written too, but no caller is in doubt before its COMMIT has been sent. This
 * query can wait for a lock of that very session: the session is then in the last steps of its COMMIT.
 */
async function isCommitting(session: number): Promise<boolean> {
  const rows = installation.query(
    `select from pg_stat_activity
     where pid = $1 and backend_xid is not null and (query ilike 'commit%' or query like '%write_batch(%')`,
    [session],
  )
  return Promise.race([rows.then(({ length }) => length === 1), sleep(lockedSeconds * 1_000).then(() => true)])
}

/** Waits until no statement is running that could still write an order. */
async function untilNothingIsUnderWay(): Promise<void> {
  await waitUntil('no session of the intake is at work', async () => {
    const rows = await installation.query(
      `select from pg_stat_activity where application_name like 'makola intake%' and state <> 'idle'`,
    )
    return rows.length === 0
  })
}

/** Compares the callers' answers with the books, now and after each call was repeated. Their references begin with `prefix`. */
async function expectAnswersToMatch(prefix: string, told: readonly TimedOutcome[]): Promise<void> {
  expect(Math.max(...told.map(({ seconds }) => seconds))).toBeLessThan(answerSecondsMax + lostSeconds())
  const refused = told.filter((each) => statusOf(each) !== 200)
  expect(refused.filter((each) => !isDenied(each) && !isUnknown(each)).map(statusOf)).toEqual([])
  await untilNothingIsUnderWay()
  expect(await findPlaced(told.filter(isDenied).map(({ call }) => call))).toEqual([])
  await Promise.all(refused.map(({ call }) => placeUntilDefinite(placing, call)))
  expect(await findJournalBreaches(installation, placing.journal, prefix)).toEqual([])
  expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
}

test('sessions of the intake that stand still in the middle of COMMIT: nobody is told that a try charged nothing and then charged by it, nobody waits longer than 10 s', async () => {
  onTestFailed(() => console.error(placing.journal.counts(), installation.readLogs()))
  await Promise.all(shops.map((shop, no) => placeOnce(placing, api, singleCall(shop, makeDataBody(`first-${no}`)))))
  const sessions = await listIntakeSessions()
  const freezing = (async () => {
    const frozen = await installation.database.freezeInCommit(sessions, isCommitting)
    // The intake's other sessions continue, unless locks of the frozen one stop them.
    await sleep(frozenSeconds * 1_000)
    await installation.database.resume()
    return frozen
  })()
  const told: TimedOutcome[] = []
  await sendInBursts({ seconds: frozenSeconds + 2, size: 6, everyMilliseconds: 250, until: freezing }, async (no) => {
    told.push(await placeTimed(callOf('frozen', no)))
  })
  expect(sessions).toContain(await freezing)
  await expectAnswersToMatch('frozen-', told)
  expect(told.filter(isUnknown).length).toBeGreaterThan(0)
})

/** Stops replication, and buys until a COMMIT waits, which shows that the server has read its settings. Returns the purchases. */
async function stopReplication(name: string): Promise<Promise<TimedOutcome>[]> {
  const { database } = installation
  await database.stopReplication()
  const probes: Promise<TimedOutcome>[] = []
  await waitUntil('a COMMIT waits for the standby', async () => {
    probes.push(placeTimed(callOf(name, probes.length)))
    await sleep(100)
    return (await database.listWaitingForStandby()).length > 0
  })
  return probes
}

test('synchronous replication that stops for longer than anybody waits: nothing is acknowledged meanwhile, nothing is denied falsely, and every retry finds its order', async () => {
  onTestFailed(() => console.error(placing.journal.counts(), installation.readLogs()))
  const { database } = installation
  const probes = await stopReplication('alone-probe')
  const told: TimedOutcome[] = []
  await sendInBursts({ seconds: 3, size: 6, everyMilliseconds: 250 }, async (no) => {
    told.push(await placeTimed(callOf('alone', no)))
  })
  expect(told.filter((each) => statusOf(each) === 200)).toEqual([])
  told.push(...(await Promise.all(probes)).filter((each) => statusOf(each) !== 200))
  await database.resumeReplication()
  await expectAnswersToMatch('alone-', told)
  expect(told.filter(isUnknown).length).toBeGreaterThan(0)
})

/** Cancels every wait for the standby as soon as it begins, until `end` resolves. Returns the number of cancelled waits. */
async function cancelWaitsUntil(end: Promise<unknown>): Promise<number> {
  const { database } = installation
  const over = new AbortController()
  const noteEnd = () => over.abort()
  end.then(noteEnd, noteEnd)
  let cancelled = 0
  while (!over.signal.aborted) {
    const waiting = await database.listWaitingForStandby()
    for (const session of waiting) database.cancel(session)
    cancelled += waiting.length
    await sleep(50)
  }
  return cancelled
}

test('a wait for the standby that somebody cancels acknowledges nothing: the order stands on one server, and its caller hears of it when it stands on both', async () => {
  onTestFailed(() => console.error(placing.journal.counts(), installation.readLogs()))
  const { database } = installation
  const probes = await stopReplication('cancelled')
  expect(await cancelWaitsUntil(Promise.all(probes))).toBeGreaterThan(0)
  const told = (await Promise.all(probes)).filter((each) => statusOf(each) !== 200)
  const unknown = told.filter(isUnknown).map(({ call }) => call)
  expect(unknown.length).toBeGreaterThan(0)
  // The orders are visible, but may be lost with this server, so a repeat does not get them either.
  expect(await findPlaced(unknown)).toHaveLength(unknown.length)
  const standstills = countStandstills()
  const repeats = unknown.map((call) => placeTimed(call))
  // A repeat waits for as long as the standby is away.
  await sleep(1_000)
  await database.resumeReplication()
  const answers = await Promise.all(repeats)
  expect(answers.filter((each) => statusOf(each) === 200 && each.seconds <= 1)).toEqual([])
  // No call waits longer than three seconds in the intake, so a standstill of the machine may have made some too late.
  const inTime = standstills() === 0 ? answers : []
  expect(inTime.filter((each) => statusOf(each) !== 200)).toEqual([])
  await expectAnswersToMatch('cancelled-', told)
})
