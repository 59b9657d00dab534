import process from 'node:process'
import { createRandom, type Random } from './random.ts'

function wholeNumber(name: string): number | undefined {
  const text = process.env[name]
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, not ${JSON.stringify(text)}.`)
  return Number(text)
}

/** Duration of a random run: PROOF_SECONDS, or `byDefault` where that is not set. */
export function runSeconds(byDefault: number): number {
  return wholeNumber('PROOF_SECONDS') ?? byDefault
}

/** Random numbers of a run, from PROOF_SEED or a new seed. The seed is printed, so that the run can be repeated. */
export function startRandomRun(what: string): Random {
  const random = createRandom(wholeNumber('PROOF_SEED') ?? Math.floor(Math.random() * 1_000_000_000))
  process.stdout.write(`${what}: PROOF_SEED=${random.seed}\n`)
  return random
}
