import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findEffectBreaches } from './src/breaches/find-effect-breaches.ts'
import { findJournalBreaches } from './src/breaches/find-journal-breaches.ts'
import { findSettlementBreaches } from './src/breaches/find-settlement-breaches.ts'
import { clusterFaults } from './src/cluster/cluster-faults.ts'
import { findClusterPrograms, installLine } from './src/cluster/find-programs.ts'
import { type Cluster, startCluster } from './src/cluster/start-cluster.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { openJournal } from './src/journal.ts'
import { liftRateLimits } from './src/lift-rate-limits.ts'
import { orderOf, singleCall } from './src/make-calls.ts'
import { openShop } from './src/open-shop.ts'
import { type Placing, placeSurely } from './src/place-surely.ts'
import { createRandom, type Random } from './src/random.ts'
import { waitUntil } from './src/wait-until.ts'

/**
 * `npm run rehearse:cluster -- --seed 7 --faults 6`, or `--only "switch over"`: three PostgreSQL servers under Patroni, three etcds, two APIs, two workers and
 * the simulator on this machine, that sell while a seed chooses what is killed, frozen and switched. Prints a line for each fault,
 * and ends with 1 when an acknowledged order is lost, something came twice, or a refusal said what was not so; with 2 when programs
 * are missing.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    faults: { type: 'string', default: '9' },
    buyers: { type: 'string', default: '12' },
    only: { type: 'string' },
  },
})

const pauseMilliseconds = 40
const calmSeconds = 4

/** The moments of the sales. */
type Sales = { readonly times: number[] }

/** Buys with references of its own until it is told to stop. Each call is repeated until its outcome is known. */
async function buy(placing: Placing, shop: Parameters<typeof singleCall>[0], buyer: number, sales: Sales, isOver: () => boolean) {
  for (let no = 0; !isOver(); no += 1) {
    const outcome = await placeSurely(placing, singleCall(shop, orderOf(`cluster-${buyer}-${no}`)), buyer + no)
    if (outcome.class === 'accepted') sales.times.push(performance.now())
    await sleep(pauseMilliseconds)
  }
}

/** The longest time without a sale between two moments. */
function longestGap(times: readonly number[], from: number, until: number): number {
  const within = [from, ...times.filter((time) => time > from && time < until), until]
  return Math.max(...within.map((time, at) => time - (within[at - 1] ?? time))) / 1_000
}

/** Strikes with one fault after the other, each once before one comes again. Prints what the buyers felt. */
async function strikeAll(cluster: Cluster, installation: Installation, random: Random, sales: Sales): Promise<void> {
  const all = clusterFaults(cluster, installation).filter(({ name }) => values.only === undefined || name === values.only)
  if (all.length === 0) throw new Error(`there is no fault ${values.only}`)
  let left = [...all]
  for (let no = 0; no < Number(values.faults); no += 1) {
    if (left.length === 0) left = [...all]
    const fault = random.pick(left)
    left = left.filter((each) => each !== fault)
    await sleep(calmSeconds * 1_000)
    const [from, before] = [performance.now(), sales.times.length]
    await fault.strike(random)
    await waitUntil('a sale after the fault', () => (sales.times.at(-1) ?? 0) > performance.now() - 500)
    const gap = longestGap(sales.times, from, performance.now()).toFixed(1)
    process.stdout.write(`${fault.name.padEnd(45)} ${gap.padStart(5)} s without a sale, ${sales.times.length - before} sales\n`)
  }
}

async function findBreaches(installation: Installation, placing: Placing): Promise<string[]> {
  await waitUntil('everything that was bought is delivered', async () => {
    const open = await installation.query("select from orders where status not in ('completed', 'failed', 'refunded')")
    return open.length === 0
  })
  const { exitCode, json } = await installation.tryCommand('audit', '--full')
  return [
    ...(await findJournalBreaches(installation, placing.journal, 'cluster-')),
    ...(await findEffectBreaches(installation)),
    ...(await findSettlementBreaches(installation)),
    ...(exitCode === 0 ? [] : [`the audit found ${JSON.stringify(json)}`]),
  ]
}

async function rehearse(cluster: Cluster, installation: Installation, random: Random): Promise<string[]> {
  const [shop, client] = await Promise.all([
    openShop(installation, { name: 'cluster', fundsGhs: '1000000.00' }),
    installation.openClient({ patienceSeconds: 40 }),
    liftRateLimits(installation),
  ])
  const journal = openJournal(join(installation.dataDir, 'cluster.jsonl'))
  const placing = { client, journal, apis: installation.apis }
  const sales: Sales = { times: [] }
  let isOver = false
  const buying = Promise.all(
    Array.from({ length: Number(values.buyers) }, (_, buyer) => buy(placing, shop, buyer, sales, () => isOver)),
  )
  await Promise.race([strikeAll(cluster, installation, random, sales), buying])
  isOver = true
  await buying
  const breaches = await findBreaches(installation, placing)
  const tries = journal.records().flatMap((record) => record.tries)
  const slowestSeconds = Math.max(...tries.map(({ sentAt, endedAt }) => ((endedAt ?? Date.now()) - sentAt) / 1_000))
  process.stdout.write(
    `seed ${random.seed}: ${sales.times.length} orders acknowledged in ${tries.length} tries, the slowest answer after ${slowestSeconds.toFixed(1)} s, ${breaches.length} breaches\n`,
  )
  return breaches
}

async function run(): Promise<number> {
  const programs = await findClusterPrograms()
  if (!programs) {
    process.stderr.write(`Programs of the cluster are missing. On Debian 12: ${installLine}\n`)
    return 2
  }
  const random = createRandom(values.seed === undefined ? Math.floor(Math.random() * 1_000_000_000) : Number(values.seed))
  process.stdout.write(`seed ${random.seed}\n`)
  const root = await mkdtemp(join(tmpdir(), 'makola-cluster-'))
  const cluster = await startCluster(root, programs)
  let installation: Installation | undefined
  try {
    installation = await startInstallation({ database: cluster.database, simulator: { SIMULATOR_DELIVERY_MS: '300' } })
    const breaches = await rehearse(cluster, installation, random)
    for (const breach of breaches) process.stdout.write(`BREACH ${breach}\n`)
    return breaches.length === 0 ? 0 : 1
  } finally {
    await installation?.destroy()
    await cluster.destroy()
    if (process.env['PROOF_KEEP'] === undefined) await rm(root, { recursive: true, force: true })
  }
}

process.exitCode = await run()
