import pMap from 'p-map'
import type { AskLimit } from '../../../suppliers/registration-port.ts'
import { type AskDeps, askServers, callMillisecondsMax, submitNumber } from './ask-servers.ts'
import { combineStates, type Registration, type ServerStates } from './combine-states.ts'
import type { RegistrationFacts, RegistrationFactsQuery } from './known-registrations.ts'
import type { RegistrationMemory } from './registration-memory.ts'
import type { RegistrationServer, RegistrationServers } from './registration-servers.ts'

export type RegistrationDeps = AskDeps & {
  readonly servers: RegistrationServers
  readonly memory: RegistrationMemory
  readonly known: (question: RegistrationFactsQuery) => Promise<RegistrationFacts>
}

/** One order of a purchase for a number that must be registered. */
export type WantedNumber = { readonly number: string; readonly reference: string }

/**
 * The result for each number. It is also `unknown` for a number that was not asked about because all its references have
 * orders.
 */
export type LearntRegistrations = {
  of(number: string): Registration
  /** Submits unregistered numbers to every accepted server that lacks them. */
  submit(numbers: readonly string[]): Promise<void>
}

/**
 * The most numbers of one request that are asked about, or submitted, at the same time. Each may need calls to several servers
 * (decision N6: when a number is asked about).
 */
const numbersAtOnce = 20

/**
 * Time limit of all questions for a purchase. Numbers that are unknown by then may pass (decision N6: when a number is asked
 * about).
 */
const requestMillisecondsMax = 6_000

/** The answer for numbers that need no registration, and for checks without a server. */
export const nothingToLearn: LearntRegistrations = { of: () => 'unknown', submit: () => Promise.resolve() }

/** Answers from this process's memory. Undefined unless it knows that all of these numbers are registered. */
function recallRegistrations(
  { servers, memory }: RegistrationDeps,
  wanted: readonly WantedNumber[],
): LearntRegistrations | undefined {
  const accepted = servers.peekAccepted()
  if (!accepted?.length || !wanted.every(({ number }) => memory.isRegistered(number, accepted))) return undefined
  return { of: () => 'registered', submit: () => Promise.resolve() }
}

/**
 * Learns whether the numbers of a purchase are registered (decision N6: when a number is asked about). Does not ask about
 * known registered numbers, nor about numbers whose references are used, because such an order is a replay or is refused.
 * Asks about all others within the time limit, but never a server that is away. Runs outside of any transaction; the intake
 * decides afterwards.
 */
export async function learnRegistrations(deps: RegistrationDeps, wanted: readonly WantedNumber[]): Promise<LearntRegistrations> {
  if (wanted.length === 0) return nothingToLearn
  const recalled = recallRegistrations(deps, wanted)
  if (recalled) return recalled
  const accepted = await deps.servers.listAccepted()
  const serverNos = accepted.map(({ server }) => server)
  const known = await deps.known({
    numbers: [...new Set(wanted.map(({ number }) => number))],
    references: wanted.map(({ reference }) => reference),
  })
  const isKnown = (number: string) => serverNos.some((server) => known.registeredOn.get(number)?.has(server))
  const unknown = new Set(
    wanted
      .filter(({ number, reference }) => !isKnown(number) && !known.takenReferences.has(reference))
      .map(({ number }) => number),
  )
  const states = await askAll(deps, accepted, [...unknown])
  return {
    of: (number) => (isKnown(number) ? 'registered' : combineStates(states.get(number) ?? new Map(), serverNos)),
    submit: async (numbers) => {
      const present = listPresent(deps, accepted)
      await askWithinRequest([...new Set(numbers)], (number, limit) =>
        submitNumber(deps, present, number, states.get(number) ?? new Map(), limit),
      )
    },
  }
}

function listPresent(deps: RegistrationDeps, servers: readonly RegistrationServer[]): RegistrationServer[] {
  return servers.filter((server) => !deps.watch.isAway(server))
}

async function askAll(
  deps: RegistrationDeps,
  accepted: readonly RegistrationServer[],
  numbers: readonly string[],
): Promise<Map<string, ServerStates>> {
  const states = new Map<string, ServerStates>()
  await askWithinRequest(numbers, async (number, limit) => {
    states.set(number, await askServers(deps, listPresent(deps, accepted), number, limit))
  })
  return states
}

/**
 * Calls `ask` for each number, some at a time, within the time limit of the request. Numbers that are left when the time is
 * over are skipped.
 */
async function askWithinRequest(
  numbers: readonly string[],
  ask: (number: string, limit: AskLimit) => Promise<void>,
): Promise<void> {
  const [first] = numbers
  if (first === undefined) return
  // Nearly all requests ask about one number.
  if (numbers.length === 1) return ask(first, { milliseconds: callMillisecondsMax })
  const endsAt = performance.now() + requestMillisecondsMax
  await pMap(
    numbers,
    async (number) => {
      const milliseconds = endsAt - performance.now()
      if (milliseconds > 0) await ask(number, { milliseconds: Math.min(milliseconds, callMillisecondsMax) })
    },
    { concurrency: numbersAtOnce },
  )
}
