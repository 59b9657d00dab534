import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { makeAccount, makeKeyFor } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { untilTrue } from '../../../test/patience.ts'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import { type RunningSimulator, startSimulator } from '../../../test/start-simulator.ts'
import { type Answer, startTestApp, type TestApp } from '../../../test/start-test-app.ts'
import { allAuditChecks } from '../../all-audit-checks.ts'
import { readConfig } from '../../config.ts'
import { runAudit } from '../../money/audit.ts'
import { creditWallet } from '../../money/credit-wallet.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { openSettings, type Settings } from '../../platform/settings/settings.ts'
import { startWorker, type Worker } from '../../worker.ts'
import { addPoolSender, decideSender, requestSender } from './campaigns/decide-sender.ts'
import { concludeOverdue } from './link/conclude-overdue.ts'

export type SmsReseller = { readonly accountId: string; readonly key: string }

/** The API, the simulator and the workers that a test starts. They talk over real connections. */
export type SmsBench = {
  readonly app: TestApp
  readonly simulator: RunningSimulator
  makeSmsReseller(credits?: number): Promise<SmsReseller>
  send(reseller: SmsReseller, body: Record<string, unknown>): Promise<Answer>
  /**
   * Sends a campaign and returns its results. On a busy machine they may take longer than the API waits, or the API may ask
   * the caller to come back; then the same call is repeated with its reference.
   */
  sendAndWait(reseller: SmsReseller, body: Record<string, unknown>): Promise<Answer>
  get(reseller: SmsReseller, path: string): Promise<Answer>
  smsc(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
  /** Texts as a recipient's handset shows them. */
  textsOf(recipient: string): Promise<{ text: string; sender: string; parts: number }[]>
  startWorker(): Promise<Worker>
  /** Names of the broken rules. */
  audit(): Promise<string[]>
  freshNumber(ending?: string): string
  close(): Promise<void>
}

let numbers = 0

/**
 * Polls until the condition holds.
 * @throws Error when it does not hold in time
 */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  await untilTrue(isTrue, () => `did not come true: ${what}`)
}

async function ask(url: string, method: string, body?: unknown): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Record<string, unknown>
}

/** Starts the API and the simulator, and adds a sender to the pool. Starts no worker, because some tests need none. */
export async function startSmsBench(): Promise<SmsBench> {
  const [app, simulator] = await Promise.all([startTestApp(), startSimulator({ timeScale: 0.1 })])
  const { db } = app.database
  await inTransaction(db, (tx) => addPoolSender(tx, { sender: 'Makola', isDefault: true, actor: 'test' }))
  const workers = new Set<Worker>()
  const send: SmsBench['send'] = ({ key }, body) => app.call('POST', '/sms/send', { key, body })
  const smsc = (method: string, path: string, body?: unknown) => ask(`${simulator.url}${path}`, method, body)
  return {
    app,
    simulator,
    async makeSmsReseller(credits = 1_000) {
      const { accountId } = await makeAccount(db)
      if (credits > 0) {
        await inTransaction(db, (tx) => creditWallet(tx, { accountId, purse: 'sms_credits', amount: credits, actor: 'test' }))
      }
      return { accountId, key: await makeKeyFor(db, accountId, 'sms') }
    },
    send,
    async sendAndWait(reseller, body) {
      const request = { reference: newId(), ...body }
      let answer = await retryWhileOverloaded(() => send(reseller, request))
      const isUnderWay = () => ['queued', 'processing'].includes(answer.body.data?.status)
      await until('the campaign has settled', async () => {
        if (isUnderWay()) answer = await send(reseller, request)
        return !isUnderWay()
      })
      return answer
    },
    get: ({ key }, path) => app.call('GET', path, { key }),
    smsc,
    textsOf: async (recipient) =>
      (await smsc('GET', `/smsc/texts?recipient=${recipient}`))['texts'] as { text: string; sender: string; parts: number }[],
    async startWorker() {
      const config = readConfig({ DATA_DIR: app.dataDir, SIMULATOR_URL: simulator.url })
      const started = await startWorker(config, db, pino({ level: 'silent' }))
      const worker = {
        stop: async () => {
          if (workers.delete(worker)) await started.stop()
        },
      }
      workers.add(worker)
      await until('the link is bound', async () => Number((await smsc('GET', '/smsc/count'))['bound']) > 0)
      return worker
    },
    async audit() {
      const { checks } = await runAudit(db, allAuditChecks, { isFull: true })
      return Object.entries(checks).flatMap(([name, bad]) => (bad === 0 ? [] : name))
    },
    freshNumber: (ending = '000') => {
      numbers += 1
      return `0241${String(numbers).padStart(3, '0')}${ending}`
    },
    async close() {
      for (const worker of workers) await worker.stop()
      await app.close()
      await simulator.stop()
    },
  }
}

export async function approveSender({ app }: SmsBench, accountId: string, sender: string): Promise<void> {
  await inTransaction(app.database.db, async (tx) => {
    await requestSender(tx, { accountId, sender, actor: 'test' })
    await decideSender(tx, { accountId, sender, status: 'approved', actor: 'test' })
  })
}

/** A bench whose fields are those of the bench that is open at the moment. */
function benchOf(read: () => SmsBench): SmsBench {
  return {
    get app() {
      return read().app
    },
    get simulator() {
      return read().simulator
    },
    makeSmsReseller: (credits) => read().makeSmsReseller(credits),
    send: (reseller, body) => read().send(reseller, body),
    sendAndWait: (reseller, body) => read().sendAndWait(reseller, body),
    get: (reseller, path) => read().get(reseller, path),
    smsc: (method, path, body) => read().smsc(method, path, body),
    textsOf: (recipient) => read().textsOf(recipient),
    startWorker: () => read().startWorker(),
    audit: () => read().audit(),
    freshNumber: (ending) => read().freshNumber(ending),
    close: () => read().close(),
  }
}

/** Sets up a bench with a worker for a file of tests, and resets the SMSC before each test. */
export function useSmsBench(): SmsBench {
  let bench: SmsBench
  beforeAll(async () => {
    bench = await startSmsBench()
    await bench.startWorker()
  })
  beforeEach(async () => {
    await bench.smsc('DELETE', '/control/smsc')
  })
  afterAll(async () => {
    try {
      await mustPassAudit(bench.app.database.db)
    } finally {
      await bench.close()
    }
  })
  return benchOf(() => bench)
}

/** Sets up a new bench for every test of a file, without a worker. */
export function useFreshSmsBenches(): SmsBench {
  let bench: SmsBench
  beforeEach(async () => {
    bench = await startSmsBench()
  })
  afterEach(async () => {
    const broken = await bench.audit()
    await bench.close()
    if (broken.length > 0) throw new Error(`the audit found ${broken.join(', ')}`)
  })
  return benchOf(() => bench)
}

export function readMessages({ app }: SmsBench, campaignId: string) {
  return app.database.db.selectFrom('sms_messages').selectAll().where('campaign_id', '=', campaignId).orderBy('n').execute()
}

export function readCampaignRow({ app }: SmsBench, campaignId: string) {
  return app.database.db.selectFrom('sms_campaigns').selectAll().where('id', '=', campaignId).executeTakeFirstOrThrow()
}

/** Different numbers of ten digits, always the same for a count. */
export function numbersOf(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `0${241_000_000 + n * 1_000}`)
}

export async function countSubmits(bench: SmsBench): Promise<number> {
  return Number((await bench.smsc('GET', '/smsc/count'))['submits'])
}

/** Number of texts that the SMSC received for each recipient with more than one. */
export async function readRepeats(bench: SmsBench): Promise<Record<string, number>> {
  return (await bench.smsc('GET', '/smsc/repeats'))['repeats'] as Record<string, number>
}

/** Number of a campaign's messages whose `submit` is neither `answered` nor `unanswered`. */
export async function countWaiting({ app }: SmsBench, campaignId: string): Promise<number> {
  const { count } = await app.database.db
    .selectFrom('sms_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('campaign_id', '=', campaignId)
    .where('submit', 'not in', ['answered', 'unanswered'])
    .executeTakeFirstOrThrow()
  return count
}

/** Lets the deadlines of a campaign's messages pass. */
export async function expireDeadlines({ app }: SmsBench, campaignId: string): Promise<void> {
  const { ownerDb } = app.database
  await sql`update sms_campaigns set expanded_at = expanded_at - interval '25 hours' where id = ${campaignId}`.execute(ownerDb)
  await sql`update sms_messages set claimed_at = claimed_at - interval '25 hours' where campaign_id = ${campaignId}`.execute(
    ownerDb,
  )
}

/** Settings that are read from the database every time. */
export function createFreshSettings(db: Db): Settings {
  return openSettings(db, { current: () => undefined })
}

/** Runs the worker's timer of passed deadlines now. */
export async function concludeNow({ app }: SmsBench): Promise<void> {
  const { db } = app.database
  await concludeOverdue({ db, settings: createFreshSettings(db), log: pino({ level: 'silent' }) })
}
