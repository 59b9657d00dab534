import { spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * `npm run proof -- --seconds 600 --seed 42 [file …]`: the proofs with random runs of a length of your choice.
 * Without a seed each run takes a new one and prints it.
 */
const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
})
const { seconds, seed } = values
const root = fileURLToPath(new URL('..', import.meta.url))
const child = spawn('vitest', ['run', ...(positionals.length > 0 ? positionals : ['proof/'])], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(seconds === undefined ? {} : { PROOF_SECONDS: seconds }),
    ...(seed === undefined ? {} : { PROOF_SEED: seed }),
  },
})
child.on('exit', (code) => process.exit(code ?? 1))
