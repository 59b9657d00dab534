import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findFile } from './src/cluster/find-programs.ts'
import { clearRemains, clockLibraries, moveClock } from './src/month-border.ts'

/**
 * `npm run proof -- --seconds 600 --seed 42 [file …]`: the proofs with random runs of a length of your choice.
 * Without a seed each run takes a new one and prints it.
 *
 * With `--over-month-border` the fault proof runs over the end of a month: the clock of all its processes is moved. Ends with 2
 * when libfaketime is missing.
 */
const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, 'over-month-border': { type: 'boolean' } },
  allowPositionals: true,
})
const { seconds, seed, 'over-month-border': isOverBorder = false } = values
const root = fileURLToPath(new URL('..', import.meta.url))
const library = isOverBorder ? await findFile(clockLibraries) : undefined
if (isOverBorder && library === undefined) {
  process.stderr.write('--over-month-border moves the clock with libfaketime. On Debian or Ubuntu: apt-get install faketime\n')
  process.exit(2)
}
const files = isOverBorder ? ['proof/durability.test.ts', '--testNamePattern', 'every acknowledged order'] : ['proof/']

const child = spawn('vitest', ['run', ...(positionals.length > 0 ? positionals : files)], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(library === undefined ? {} : { PROOF_SECONDS: '40', ...moveClock(library, Date.now()) }),
    ...(seconds === undefined ? {} : { PROOF_SECONDS: seconds }),
    ...(seed === undefined ? {} : { PROOF_SEED: seed }),
  },
})
const [code] = (await once(child, 'exit')) as [number | null]
if (isOverBorder) await clearRemains()
process.exit(code ?? 1)
