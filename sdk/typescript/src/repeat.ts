import { type MakolaError, refusalOf, UnavailableError, UnclearError } from './errors.ts'
import type { RateLimits } from './rate-limits.ts'
import { type Outcome, tryOnce, type WireRequest } from './try-once.ts'

/** How long tries and waits may take. */
export type Patience = {
  /** For one try, until its answer is whole. */
  readonly timeoutSeconds: number
  /** No try of a call begins after this time. One that has begun is not cut short: its answer would be lost. */
  readonly deadlineSeconds: number
  /** Before the second try; each wait is twice as long as the one before. */
  readonly firstWaitSeconds: number
  readonly longestWaitSeconds: number
}

export type Call = WireRequest & {
  readonly endpoint: string
  /** The reference of the order that is placed; undefined for a call that only reads. */
  readonly reference: string | undefined
  /** An earlier call with this reference may have placed the order. */
  readonly isRepeat: boolean
}

export type Wire = { readonly patience: Patience; readonly limits: RateLimits; readonly fetch: typeof fetch }

export const sleep = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

type Refused = Extract<Outcome, { kind: 'refused' }>
type Again = Extract<Outcome, { kind: 'again' }>

/** These are answered before anybody looks at the reference, so they say nothing about an earlier try. */
const saysNothingOfEarlierTries = ({ status }: Refused) => status === 401 || status === 403

/** A longer wait after each try, at least as long as the API asks for, with some chance so that clients do not come together. */
function secondsToWait({ firstWaitSeconds, longestWaitSeconds }: Patience, tries: number, asked = 0): number {
  const usual = Math.min(firstWaitSeconds * 2 ** (tries - 1), longestWaitSeconds)
  return Math.max(asked, usual * (0.5 + Math.random() / 2))
}

function unclear(call: Call, outcome: Refused | Again, cause: unknown): UnclearError {
  const message = `Whether the order was placed is not known. Repeat the reference ${call.reference}. ${outcome.message}`
  return new UnclearError(message, { ...outcome, reference: call.reference, cause })
}

/** The error of a call whose time is over. */
function givenUp(call: Call, outcome: Again, isUnclear: boolean): MakolaError {
  if (isUnclear) return unclear(call, outcome, outcome.cause)
  return new UnavailableError(outcome.message, { ...outcome, reference: call.reference })
}

/** What a call returned, and whether an earlier try had an outcome that was not known. */
export type Repeated = { readonly data: unknown } | { readonly refusal: MakolaError; readonly isAfterUnclearTry: boolean }

/**
 * Sends a request until it has an answer that counts or the deadline is over. Each try has the same reference, so that the
 * order exists at most once and is paid at most once.
 */
export async function repeat(wire: Wire, call: Call): Promise<Repeated> {
  const { patience, limits } = wire
  const endsAt = Date.now() + patience.deadlineSeconds * 1_000
  const secondsLeft = () => (endsAt - Date.now()) / 1_000
  let isUnclear = call.isRepeat
  for (let tries = 1; ; tries += 1) {
    // Where the wait is longer than the time left, the API refuses with the exact time to wait.
    const untilFree = limits.secondsUntilFree(call.endpoint)
    if (untilFree > 0 && untilFree < secondsLeft()) await sleep(untilFree)
    const outcome = await tryOnce(call, patience.timeoutSeconds, wire.fetch)
    if (outcome.headers) limits.note(call.endpoint, outcome.headers)
    if (outcome.kind === 'done') return { data: outcome.data }
    if (outcome.kind === 'refused') {
      const refusal = refusalOf(outcome.message, { ...outcome, reference: call.reference })
      if (isUnclear && saysNothingOfEarlierTries(outcome))
        return { refusal: unclear(call, outcome, refusal), isAfterUnclearTry: true }
      return { refusal, isAfterUnclearTry: isUnclear }
    }
    isUnclear ||= outcome.isUnclear && call.reference !== undefined
    const wait = secondsToWait(patience, tries, outcome.retryAfterSeconds)
    if (outcome.isHopeless || wait >= secondsLeft())
      return { refusal: givenUp(call, outcome, isUnclear), isAfterUnclearTry: isUnclear }
    await sleep(wait)
  }
}
