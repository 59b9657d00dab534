import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { clusterFaults } from './src/cluster/cluster-faults.ts'
import { findClusterPrograms, installLine } from './src/cluster/find-programs.ts'
import { type Cluster, startCluster } from './src/cluster/start-cluster.ts'
import { type WriteWatch, watchWrites } from './src/cluster/watch-writes.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { keepSelling, type SalesPause, type Selling } from './src/keep-selling.ts'
import { createRandom, type Random } from './src/random.ts'

/**
 * `npm run rehearse:cluster -- --seed 7 --faults 6`, or `--only "switch over"`: three PostgreSQL servers under Patroni, three etcds,
 * two APIs, two workers and the simulator on this machine, that sell while a seed chooses what is killed, frozen and switched.
 * Prints a line for each fault: how long nothing was sold, and how much of that time a server already took writes again.
 * Exit code 1: an acknowledged order is lost, something was delivered twice, or a refusal was not true. Exit code 2: programs
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

const calmSeconds = 4

/** A shorter pause between writes is not reported, because the probe itself pauses between two writes. */
const pauseSecondsMin = 1

/** Says how long after a server took writes again the first order was sold; nothing where writes did not pause. */
function wordLag({ seconds, endedAt }: SalesPause, selling: Selling): string {
  const soldAt = selling.findSaleAfter(endedAt)
  if (seconds < pauseSecondsMin || soldAt === undefined) return ''
  return `, the first ${((soldAt - endedAt) / 1_000).toFixed(1)} s after a server took writes again`
}

type Rehearsal = { readonly cluster: Cluster; readonly installation: Installation; readonly random: Random }

/** Strikes with one fault after the other, each once before one comes again. Prints for how long nothing was sold. */
async function strikeAll({ cluster, installation, random }: Rehearsal, selling: Selling, writes: WriteWatch): Promise<void> {
  const all = clusterFaults(cluster, installation).filter(({ name }) => values.only === undefined || name === values.only)
  if (all.length === 0) throw new Error(`there is no fault ${values.only}`)
  let left = [...all]
  for (let no = 0; no < Number(values.faults); no += 1) {
    if (left.length === 0) left = [...all]
    const fault = random.pick(left)
    left = left.filter((each) => each !== fault)
    await sleep(calmSeconds * 1_000)
    const from = performance.now()
    const { secondsWithoutSale, sales } = await selling.during(() => fault.strike(random))
    const gap = secondsWithoutSale.toFixed(1).padStart(5)
    const lag = wordLag(writes.findPauseSince(from), selling)
    process.stdout.write(`${fault.name.padEnd(45)} ${gap} s without a sale, ${sales} sales${lag}\n`)
  }
}

async function rehearse(rehearsal: Rehearsal): Promise<string[]> {
  const { cluster, installation, random } = rehearsal
  const selling = await keepSelling(installation, 'cluster', Number(values.buyers))
  const writes = watchWrites(cluster)
  try {
    await strikeAll(rehearsal, selling, writes)
  } finally {
    await writes.stop()
  }
  const breaches = await selling.stop()
  process.stdout.write(`seed ${random.seed}: ${selling.summary()}, ${breaches.length} breaches\n`)
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
    const breaches = await rehearse({ cluster, installation, random })
    for (const breach of breaches) process.stdout.write(`BREACH ${breach}\n`)
    return breaches.length === 0 ? 0 : 1
  } finally {
    await installation?.destroy()
    await cluster.destroy()
    if (process.env['PROOF_KEEP'] === undefined) await rm(root, { recursive: true, force: true })
  }
}

process.exitCode = await run()
