import type { Logger } from 'pino'
import type { Db } from '../../../platform/database/database.ts'
import { type ServerState, type ServerStates } from './combine-states.ts'
import { recordStates } from './record-states.ts'
import type { RegistrationServer, ServerNo } from './registration-servers.ts'
import type { ServerWatch } from './watch-registration-servers.ts'

/** What the functions that ask need, besides the servers. */
export type AskDeps = { readonly db: Db; readonly log: Pick<Logger, 'warn'>; readonly watch: ServerWatch }

/**
 * One call to a registration server may take this long; then the server counts as unavailable (decision N6: when a number is
 * asked about).
 */
const callMillisecondsMax = 3_000

type Question = 'checkRecipient' | 'submitRecipient'

async function askOne(
  deps: AskDeps,
  asked: RegistrationServer,
  question: Question,
  number: string,
  signal: AbortSignal,
): Promise<ServerState> {
  const { server, supplier } = asked
  if (!supplier) return 'unavailable'
  const limit = AbortSignal.timeout(callMillisecondsMax)
  const answer = await supplier[question](number, AbortSignal.any([signal, limit]))
  // The caller gave up before the server's time was over, so the missing answer proves nothing about the server.
  const isCutShort = signal.aborted && !limit.aborted
  deps.watch.note(asked, number, isCutShort && answer.contact === 'silent' ? { ...answer, contact: 'unasked' } : answer)
  if (answer.meaning === 'unavailable' && answer.contact === 'answered') {
    const { evidence } = answer
    deps.log.warn({ server, supplier: supplier.name, question, evidence }, 'a registration server gave no usable answer')
  }
  return answer.meaning
}

/**
 * Asks all these servers about one number at the same time, and remembers their answers. Returns as soon as one says
 * yes, because the others are not needed then.
 * @returns the servers' states so far; a server that has not answered yet is missing
 */
export async function askServers(
  deps: AskDeps,
  servers: readonly RegistrationServer[],
  number: string,
  signal: AbortSignal,
): Promise<ServerStates> {
  const states = new Map<ServerNo, ServerState>()
  await new Promise<void>((resolve, reject) => {
    const asking = servers.map(async (server) => {
      const state = await askOne(deps, server, 'checkRecipient', number, signal)
      states.set(server.server, state)
      if (state === 'registered') resolve()
    })
    Promise.all(asking).then(() => resolve(), reject)
  })
  const said = new Map(states)
  await recordStates(deps, number, said)
  return said
}

/**
 * Submits a number to the servers that do not have it yet. If a server cannot take it now, the next question about the
 * number submits it again. No answer depends on it.
 */
export async function submitNumber(
  deps: AskDeps,
  servers: readonly RegistrationServer[],
  number: string,
  states: ServerStates,
  signal: AbortSignal,
): Promise<void> {
  const lacking = servers.filter(({ server }) => states.get(server) === 'not_registered')
  const answers = await Promise.all(
    lacking.map(async (server) => [server.server, await askOne(deps, server, 'submitRecipient', number, signal)] as const),
  )
  await recordStates(deps, number, new Map(answers))
}
