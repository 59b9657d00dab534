import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { Pool } from 'undici'
import { createAccount } from '../../server/src/accounts/create-account.ts'
import { createKey } from '../../server/src/accounts/create-key.ts'
import { workerNodeOptions } from '../../server/src/commands/run/start/spawn-ours.ts'
import { creditWallet } from '../../server/src/money/credit-wallet.ts'
import type { Db } from '../../server/src/platform/database/database.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { addPoolSender } from '../../server/src/products/sms/campaigns/decide-sender.ts'
import type { BareSubmits } from './baselines/bare-submits.ts'
import type { Target } from './load/load.ts'
import { median } from './measure.ts'
import type { Ratio } from './report/report.ts'
import { startRole } from './start-servers.ts'

/** The largest campaign of one call. */
const recipientsCount = 10_000

/** Submits without an answer at a time, for the worker's link and for the bare client. */
const windowSize = 50

const sender = 'Bench'
const message = 'Your order is ready. Thank you for choosing us, and see you again soon.'

/** A campaign that takes longer than this is stuck. */
const patienceMilliseconds = 120_000
const lookMilliseconds = 10

/** The figures of a campaign of 10,000 beside bare submits. */
export type CampaignFigures = {
  readonly acceptedMilliseconds: number
  /** Answered by the SMSC and settled, from the moment the caller had its answer. */
  readonly settledPerSecond: number
  /** Messages per second until the last receipt is in. */
  readonly deliveredPerSecond: number
  readonly bareSubmitsPerSecond: number
  readonly workerPeakMegabytes: number
}

/** The most memory that a process has held (VmHWM), in megabytes; not known outside Linux. */
async function readPeakMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1_024
}

/** No number ends as one of those whose ending the simulator scripts. */
const recipients = Array.from({ length: recipientsCount }, (_, n) => `233${241_000_000 + n * 1_000}`)

async function openSmsShop(db: Db, credits: number): Promise<string> {
  await sql`update suppliers set slots = ${windowSize} where name = 'smsc'`.execute(db)
  return inTransaction(db, async (tx) => {
    await addPoolSender(tx, { sender, isDefault: true, actor: 'bench' })
    const { accountId } = await createAccount(tx, {
      email: 'campaigns@bench.test',
      name: 'Bench',
      role: 'agent',
      roleExpiresAt: null,
      isBusiness: true,
      isPolicyAccepted: true,
      actor: 'bench',
    })
    await creditWallet(tx, { accountId, purse: 'sms_credits', amount: credits, actor: 'bench' })
    const { key } = await createKey(tx, { accountId, type: 'sms', isPending: false, prefix: 'makola', actor: 'bench' })
    return key
  })
}

/** A process that does nothing but submit. @returns submits per second */
async function submitBarely(dataDir: string): Promise<number> {
  const { smscPort: port } = JSON.parse(await readFile(join(dataDir, 'simulator.json'), 'utf8')) as { smscPort: number }
  const child = fork(fileURLToPath(new URL('baselines/bare-submits.ts', import.meta.url)))
  const exited = once(child, 'exit')
  const told = once(child, 'message') as Promise<[{ milliseconds: number }]>
  const asked: BareSubmits = { port, systemId: 'simulated', password: 'smpp', sender, message, recipients, window: windowSize }
  child.send(asked)
  const [{ milliseconds }] = await told
  await exited
  return recipientsCount / (milliseconds / 1_000)
}

async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + patienceMilliseconds
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`it did not come true that ${what}`)
    await sleep(lookMilliseconds)
  }
}

type Run = { readonly acceptedMilliseconds: number; readonly settledPerSecond: number; readonly deliveredPerSecond: number }

async function runCampaign(db: Db, pool: Pool, key: string): Promise<Run> {
  const body = JSON.stringify({ message, recipients })
  const headers = { authorization: key, 'content-type': 'application/json' }
  const sentAt = performance.now()
  const answer = await pool.request({ path: '/api/v2/sms/send', method: 'POST', headers, body })
  const said = (await answer.body.json()) as { data?: { campaignId: string } }
  const acceptedAt = performance.now()
  const id = said.data?.campaignId
  if (answer.statusCode !== 200 || id === undefined) throw new Error(`the campaign was not accepted: ${JSON.stringify(said)}`)
  const isTrue = async (query: ReturnType<typeof sql<{ is_so: boolean }>>) => (await query.execute(db)).rows[0]?.is_so === true
  await waitUntil('the campaign settles', () =>
    isTrue(sql`select settled_at is not null as is_so from sms_campaigns where id = ${id}`),
  )
  const settledMilliseconds = performance.now() - acceptedAt
  await waitUntil('all is delivered', () =>
    isTrue(sql`select not exists (select from sms_messages where campaign_id = ${id} and status <> 'delivered') as is_so`),
  )
  const deliveredMilliseconds = performance.now() - acceptedAt
  return {
    acceptedMilliseconds: acceptedAt - sentAt,
    settledPerSecond: (recipientsCount * 1_000) / settledMilliseconds,
    deliveredPerSecond: (recipientsCount * 1_000) / deliveredMilliseconds,
  }
}

/**
 * Campaigns of 10,000 through the API, a worker and the simulator's SMSC, and as many bare submits to the same SMSC, in
 * turn. The worker lives through all of them, so that what it keeps of one shows in the next.
 */
export async function measureCampaign(
  { db, dataDir, target }: { readonly db: Db; readonly dataDir: string; readonly target: Target },
  rounds: number,
  say: (text: string) => void,
): Promise<CampaignFigures> {
  const key = await openSmsShop(db, recipientsCount * (rounds + 1))
  const pool = new Pool(target.origin, { connections: 1, ...(target.ca === undefined ? {} : { connect: { ca: target.ca } }) })
  const worker = await startRole('worker', dataDir, { NODE_OPTIONS: workerNodeOptions.join(' ') })
  await waitUntil('the link is bound', async () => {
    const { rows } = await sql`select from sms_links where state = 'bound' and seen_at > now() - interval '2 seconds'`.execute(db)
    return rows.length > 0
  })
  const runs: (Run & { readonly bare: number })[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const bare = await submitBarely(dataDir)
    const run = { ...(await runCampaign(db, pool, key)), bare }
    const isWarmUp = round === 0
    if (!isWarmUp) runs.push(run)
    const peak = await readPeakMegabytes(worker.child.pid)
    say(
      `  ${isWarmUp ? 'warm-up' : 'campaign'}: accepted in ${Math.round(run.acceptedMilliseconds)} ms, ` +
        `settled at ${Math.round(run.settledPerSecond)}/s, delivered at ${Math.round(run.deliveredPerSecond)}/s, ` +
        `bare ${Math.round(bare)}/s, worker's peak ${Math.round(peak)} MB`,
    )
  }
  const workerPeakMegabytes = await readPeakMegabytes(worker.child.pid)
  await worker.stop()
  await pool.close()
  const middle = (valueOf: (run: (typeof runs)[number]) => number) => median(runs.map(valueOf))
  return {
    acceptedMilliseconds: middle((run) => run.acceptedMilliseconds),
    settledPerSecond: middle((run) => run.settledPerSecond),
    deliveredPerSecond: middle((run) => run.deliveredPerSecond),
    bareSubmitsPerSecond: middle((run) => run.bare),
    workerPeakMegabytes,
  }
}

/** The rows of the report's table. */
export function campaignRatios(figures: CampaignFigures): Ratio[] {
  const { acceptedMilliseconds, settledPerSecond, bareSubmitsPerSecond, workerPeakMegabytes } = figures
  const seconds = recipientsCount / settledPerSecond
  const share = settledPerSecond / bareSubmitsPerSecond
  const rate = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en-US')}/s`
  return [
    {
      name: 'campaign of 10,000: submitted and settled ÷ bare submits',
      value: share,
      goal: '≥ 0.5',
      isMet: share >= 0.5,
      behind: `${rate(settledPerSecond)} against ${rate(bareSubmitsPerSecond)}`,
    },
    {
      name: 'campaign of 10,000: accepted in, ms',
      value: acceptedMilliseconds,
      goal: '< 300',
      isMet: acceptedMilliseconds < 300,
      behind: 'from the call to its answer, over HTTPS',
    },
    {
      name: 'campaign of 10,000: submitted and settled in, s',
      value: seconds,
      goal: '< 60',
      isMet: seconds < 60,
      behind: 'from the answer on',
    },
    {
      name: 'memory of the worker, MB',
      value: workerPeakMegabytes,
      goal: '< 250',
      isMet: workerPeakMegabytes < 250,
      behind: `its peak over campaigns of ${recipientsCount.toLocaleString('en-US')}, one after another`,
    },
  ]
}
