import { mkdtemp, rm, symlink, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Installation, startInstallation } from './src/installation.ts'
import { keepSelling, type Selling } from './src/keep-selling.ts'
import { runCommand } from './src/run-command.ts'
import { prepareTrees, type UpgradeTrees } from './src/upgrade-trees.ts'

/**
 * `npm run rehearse:upgrade -- --from v1.0.0`: upgrades an installation from that version to this one while it sells, in the
 * order of docs/operating/upgrades.md, and goes back. Without `--from`, this version is upgraded to a copy of itself that has
 * migrations. Prints a line for each step. Ends with 1 when an order is lost, something came twice, or an answer was a 4xx or a
 * 5xx other than 503; with 2 when the rehearsal itself fails.
 */
const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    buyers: { type: 'string', default: '8' },
    calm: { type: 'string', default: '5' },
    processes: { type: 'string', default: '2' },
  },
})

/** The symbolic link that the services are started from, such as /opt/makola. */
type Link = { readonly path: string; pointAt(tree: string): Promise<void> }

function linkAt(path: string): Link {
  return {
    path,
    async pointAt(tree) {
      await unlink(path).catch(() => undefined)
      await symlink(tree, path)
    },
  }
}

type Step = { readonly name: string; readonly work: () => Promise<unknown> }

async function runNew(installation: Installation, { after }: UpgradeTrees, ...words: string[]): Promise<unknown> {
  const { exitCode, json, errors } = await runCommand(words, { DATA_DIR: installation.dataDir, DEMO: 'empty' }, after)
  if (exitCode !== 0) throw new Error(`makola ${words.join(' ')} of the new version ended with ${exitCode}: ${errors}`)
  return json
}

/** The steps of docs/operating/upgrades.md, and those of the way back. */
function listSteps(installation: Installation, link: Link, trees: UpgradeTrees): Step[] {
  const calm = () => sleep(Number(values.calm) * 1_000)
  const restart = (processes: Installation['workers']) => async () => {
    for (const each of processes) {
      await each.terminate()
      await each.start()
    }
  }
  const restartAll = (version: string): Step[] => [
    { name: `restart the workers with the ${version}`, work: restart(installation.workers) },
    { name: `restart the APIs with the ${version}`, work: restart(installation.apis) },
    { name: `sell with the ${version}`, work: calm },
  ]
  return [
    { name: 'sell with the version before', work: calm },
    { name: 'makola upgrade --check', work: () => runNew(installation, trees, 'upgrade', '--check') },
    { name: 'makola migrate', work: () => runNew(installation, trees, 'migrate') },
    { name: 'point the link at the new version', work: () => link.pointAt(trees.after) },
    ...restartAll('new version'),
    { name: 'point the link back', work: () => link.pointAt(trees.before) },
    ...restartAll('version before'),
  ]
}

/** Sells through all steps. @returns the breaches, in words */
async function takeSteps(steps: readonly Step[], selling: Selling): Promise<string[]> {
  let counted: Record<string, number> = {}
  for (const { name, work } of steps) {
    const { secondsWithoutSale, sales } = await selling.during(work)
    const counts = { ...selling.journal.counts() }
    const others = Object.entries(counts).flatMap(([answer, count]) => {
      const more = count - (counted[answer] ?? 0)
      return answer === '200' || more === 0 ? [] : `${more} × ${answer}`
    })
    counted = counts
    const gap = secondsWithoutSale.toFixed(1).padStart(5)
    process.stdout.write(`${name.padEnd(45)} ${gap} s without a sale, ${sales} sales  ${others.join(', ')}\n`)
  }
  const breaches = await selling.stop()
  const wrong = Object.entries(selling.journal.counts()).filter(([answer]) => /^(4|5(?!03))/.test(answer))
  return [...breaches, ...wrong.map(([answer, count]) => `${count} answers were ${answer}`)]
}

async function rehearse(root: string): Promise<number> {
  const trees = await prepareTrees(root, values.from)
  if (trees.areMigrationsAdded) process.stdout.write('The new version is a copy of this one with migrations of the rehearsal.\n')
  const link = linkAt(join(root, 'makola'))
  await link.pointAt(trees.before)
  const count = Number(values.processes)
  const sizes = { apis: count, workers: count }
  const installation = await startInstallation({ ...sizes, tree: link.path, simulator: { SIMULATOR_DELIVERY_MS: '300' } })
  try {
    const selling = await keepSelling(installation, 'upgrade', Number(values.buyers))
    const wrong = await takeSteps(listSteps(installation, link, trees), selling)
    process.stdout.write(`${selling.summary()}, ${wrong.length} breaches\n`)
    for (const breach of wrong) process.stdout.write(`BREACH ${breach}\n`)
    return wrong.length === 0 ? 0 : 1
  } finally {
    await installation.destroy()
  }
}

const root = await mkdtemp(join(tmpdir(), 'makola-upgrade-'))
try {
  process.exitCode = await rehearse(root)
} catch (error) {
  process.stderr.write(`rehearse:upgrade: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
} finally {
  if (process.env['PROOF_KEEP'] === undefined) await rm(root, { recursive: true, force: true })
}
