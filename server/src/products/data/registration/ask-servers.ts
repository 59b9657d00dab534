import type { Logger } from 'pino'
import type { AskLimit, RegistrationAnswer } from '../../../suppliers/registration-port.ts'
import type { ServerState, ServerStates } from './combine-states.ts'
import type { StateRecord } from './record-states.ts'
import type { RegistrationServer, ServerNo } from './registration-servers.ts'
import type { ServerWatch } from './watch-registration-servers.ts'

export type AskDeps = {
  readonly log: Pick<Logger, 'warn'>
  readonly watch: ServerWatch
  readonly record: StateRecord['record']
}

/**
 * Time limit of one call. A registration server that takes longer counts as unavailable (decision N6: when a number is
 * asked about).
 */
export const callMillisecondsMax = 3_000

type Question = 'checkRecipient' | 'submitRecipient'

/** Limits of the calls about a number: the caller's signal, and a time. */
type Limit = { readonly signal: AbortSignal | undefined; readonly milliseconds: number; readonly startedAt: number }

/** A timer may fire this early, because it rounds times to whole milliseconds. */
const timerMilliseconds = 2

/** True when the caller gave up before the server's time limit. Then silence proves nothing about the server. */
function isCutShort({ contact }: RegistrationAnswer, { signal, milliseconds, startedAt }: Limit): boolean {
  if (contact !== 'silent') return false
  if (signal?.aborted) return true
  return milliseconds < callMillisecondsMax && performance.now() - startedAt >= milliseconds - timerMilliseconds
}

async function askOne(
  deps: AskDeps,
  asked: RegistrationServer,
  question: Question,
  number: string,
  limit: Limit,
): Promise<ServerState> {
  const { server, supplier } = asked
  if (!supplier) return 'unavailable'
  const answer = await supplier[question](number, limit)
  deps.watch.record(asked, number, isCutShort(answer, limit) ? { ...answer, contact: 'unasked' } : answer)
  if (answer.meaning === 'unavailable' && answer.contact === 'answered') {
    const { evidence } = answer
    deps.log.warn({ server, supplier: supplier.name, question, evidence }, 'a registration server gave no usable answer')
  }
  return answer.meaning
}

/** Sends one question or submission to all these servers at once. `onState` gets each answer as it comes. */
async function askEach(
  deps: AskDeps,
  servers: readonly RegistrationServer[],
  question: Question,
  number: string,
  { signal, milliseconds = callMillisecondsMax }: AskLimit,
  onState: (server: ServerNo, state: ServerState) => void,
): Promise<void> {
  const limit = { signal, milliseconds, startedAt: performance.now() }
  await Promise.all(
    servers.map(async (server) => {
      onState(server.server, await askOne(deps, server, question, number, limit))
    }),
  )
}

/**
 * Asks all these servers about one number at the same time. Returns at the first `registered`, because the others are not
 * needed then. Records the answers until then.
 * @returns the servers' states so far, without servers that have not answered yet
 */
export async function askServers(
  deps: AskDeps,
  servers: readonly RegistrationServer[],
  number: string,
  limit: AskLimit,
): Promise<ServerStates> {
  const states = new Map<ServerNo, ServerState>()
  await new Promise<void>((resolve, reject) => {
    askEach(deps, servers, 'checkRecipient', number, limit, (server, state) => {
      states.set(server, state)
      if (state === 'registered') resolve()
    }).then(resolve, reject)
  })
  const statesSoFar = new Map(states)
  await deps.record(number, statesSoFar)
  return statesSoFar
}

/**
 * Submits a number to the servers that answered `not_registered`. If a server cannot accept it now, the next question about the
 * number submits it again. A failed submission changes no decision about an order.
 */
export async function submitNumber(
  deps: AskDeps,
  servers: readonly RegistrationServer[],
  number: string,
  states: ServerStates,
  limit: AskLimit,
): Promise<void> {
  const lacking = servers.filter(({ server }) => states.get(server) === 'not_registered')
  const answers = new Map<ServerNo, ServerState>()
  await askEach(deps, lacking, 'submitRecipient', number, limit, (server, state) => answers.set(server, state))
  await deps.record(number, answers)
}
