import process from 'node:process'

/** Random numbers that one seed repeats. */
export type Random = {
  readonly seed: number
  /** A number from 0 to below 1. */
  next(): number
  /** A whole number, both ends included. */
  between(lowest: number, highest: number): number
  pick<T>(choices: readonly T[]): T
  /** Returns true in this percentage of calls. */
  isLucky(percent: number): boolean
}

/** The mulberry32 generator: small, and good enough to choose faults with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (lowest: number, highest: number) => lowest + Math.floor(next() * (highest - lowest + 1))
  return {
    seed,
    next,
    between,
    pick: (choices) => {
      const choice = choices[between(0, choices.length - 1)]
      if (choice === undefined) throw new Error('there is nothing to pick from')
      return choice
    },
    isLucky: (percent) => next() * 100 < percent,
  }
}

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
