import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { Pool } from 'undici'
import { createAccount } from '../../../server/src/accounts/create-account.ts'
import { createKey } from '../../../server/src/accounts/create-key.ts'
import { creditWallet } from '../../../server/src/money/credit-wallet.ts'
import type { Db } from '../../../server/src/platform/database/database.ts'
import { inTransaction } from '../../../server/src/platform/database/in-transaction.ts'
import { addPoolSender } from '../../../server/src/products/sms/campaigns/decide-sender.ts'
import type { BareSubmits } from '../baselines/bare-submits.ts'
import { type Bench, setOpenOrdersAside } from '../bench-servers.ts'
import { median, medianCosts } from '../measure/median.ts'
import { type Costs, countProcessorTime, describeCosts, readPeakMegabytes } from '../measure/processor-time.ts'
import { atLeast, below, rates } from '../report/make-ratio.ts'
import { findSimulator, startRole } from '../start-servers.ts'
import type { Findings, Part } from './part.ts'

/** The largest campaign of one call. */
const recipientsCount = 10_000

/** At most so many submits wait for their answer at a time, on the worker's link and in the baseline. */
const windowSize = 50

const sender = 'Bench'
const message = 'Your order is ready. Thank you for choosing us, and see you again soon.'

/** A campaign that takes longer than this is stuck. */
const patienceMilliseconds = 120_000
const pollMilliseconds = 10

/** Interval of asking PostgreSQL whether all messages of the campaign are delivered. */
const fullPollMilliseconds = 200

/** All numbers end in 000, so the simulator delivers to each: it fails only for some other endings. */
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

/**
 * Submits from a process that does nothing else.
 * @returns submits per second
 */
async function runBareSubmits(dataDir: string): Promise<number> {
  const { smscPort: port } = await findSimulator(dataDir)
  const child = fork(fileURLToPath(new URL('../baselines/bare-submits.ts', import.meta.url)))
  const exited = once(child, 'exit')
  const finished = once(child, 'message') as Promise<[{ milliseconds: number }]>
  const asked: BareSubmits = { port, systemId: 'simulated', password: 'smpp', sender, message, recipients, window: windowSize }
  child.send(asked)
  const [{ milliseconds }] = await finished
  await exited
  return recipientsCount / (milliseconds / 1_000)
}

async function waitUntil(what: string, isSo: () => Promise<boolean>, everyMilliseconds = pollMilliseconds): Promise<void> {
  const endsAt = performance.now() + patienceMilliseconds
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`it did not come true that ${what}`)
    await sleep(everyMilliseconds)
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
  await waitUntil(
    'all is delivered',
    // Checks the last message first: until it is delivered, the others need not be read, which would cost measured time.
    () =>
      isTrue(sql`
        select case when (select status from sms_messages where campaign_id = ${id} and n = ${recipientsCount}) = 'delivered'
          then not exists (select from sms_messages where campaign_id = ${id} and status <> 'delivered') else false end as is_so`),
    fullPollMilliseconds,
  )
  const deliveredMilliseconds = performance.now() - acceptedAt
  return {
    acceptedMilliseconds: acceptedAt - sentAt,
    settledPerSecond: (recipientsCount * 1_000) / settledMilliseconds,
    deliveredPerSecond: (recipientsCount * 1_000) / deliveredMilliseconds,
  }
}

type Round = Run & { readonly bare: number; readonly costs: Costs }

/** Measures bare submits, then a campaign. The campaign's costs count until the receipts of all messages have come. */
async function measureRound(bench: Bench, pool: Pool, key: string, pids: { API: number; worker: number }): Promise<Round> {
  const bare = await runBareSubmits(bench.dataDir)
  const stopCounting = countProcessorTime({ ...bench.processes(), ...pids })
  const run = await runCampaign(bench.db, pool, key)
  const costs = stopCounting(recipientsCount)
  bench.say(
    `  accepted in ${Math.round(run.acceptedMilliseconds)} ms, settled at ${Math.round(run.settledPerSecond)}/s, ` +
      `delivered at ${Math.round(run.deliveredPerSecond)}/s, bare ${Math.round(bare)}/s; ${describeCosts(costs)}`,
  )
  return { ...run, bare, costs }
}

function isLinkBound(db: Db): Promise<boolean> {
  return sql`select from sms_links where state = 'bound' and seen_at > now() - interval '2 seconds'`
    .execute(db)
    .then(({ rows }) => rows.length > 0)
}

function describeCampaigns(rounds: readonly Round[], workerPeakMegabytes: number): Findings {
  const middle = (valueOf: (round: Round) => number) => median(rounds.map(valueOf))
  const [settled, bare] = [middle((round) => round.settledPerSecond), middle((round) => round.bare)]
  const accepted = middle((round) => round.acceptedMilliseconds)
  return {
    ratios: [
      atLeast('campaign of 10,000: submitted and settled ÷ bare submits', settled / bare, 0.7, rates(settled, bare)),
      below('campaign of 10,000: accepted in, ms', accepted, 100, 'from the call to its answer, over HTTPS'),
    ],
    costs: [{ name: 'message of a campaign', perSecond: settled, costs: medianCosts(rounds.map(({ costs }) => costs)) }],
    figures: {
      'messages settled/s': settled,
      'messages delivered/s': middle((round) => round.deliveredPerSecond),
      'bare submits/s': bare,
      'campaign submitted and settled in, s': recipientsCount / settled,
      "worker's peak over campaigns, MB": workerPeakMegabytes,
    },
  }
}

/**
 * Campaigns of 10,000 through the API, a worker and the simulator's SMSC, and the same number of bare submits to that SMSC,
 * in turn. One worker runs all campaigns, so that memory that it does not free shows in its peak.
 */
export const smsPart: Part = {
  name: 'sms',
  measures: 'campaigns of 10,000 messages beside bare submits',
  async run(bench) {
    const { db, dataDir, options } = bench
    await setOpenOrdersAside(db)
    const { target, pid } = await bench.server('candidate')
    const count = options.isQuick ? 1 : options.rounds
    const key = await openSmsShop(db, recipientsCount * (count + 1))
    const pool = new Pool(target.origin, { connections: 1, ...(target.ca === undefined ? {} : { connect: { ca: target.ca } }) })
    const worker = await startRole('worker', dataDir)
    await waitUntil('the link is bound', () => isLinkBound(db))
    const pids = { API: pid, worker: worker.pid }
    const rounds: Round[] = []
    // The first round is a warm-up.
    for (let round = 0; round <= count; round += 1) rounds.push(await measureRound(bench, pool, key, pids))
    const peak = await readPeakMegabytes(worker.pid)
    await worker.stop()
    await pool.close()
    return describeCampaigns(rounds.slice(1), peak)
  },
}
