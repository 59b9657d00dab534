import type { Logger } from 'pino'
import type { Db } from '../../../platform/database/database.ts'
import { type ServerState, type ServerStates } from './combine-states.ts'
import { recordStates } from './record-states.ts'
import type { RegistrationServer, ServerNo } from './registration-servers.ts'
import type { ServerWatch } from './watch-registration-servers.ts'

/** What asking needs beside the servers. */
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
  // Whoever asked gave up before the server's time was over: its silence so far shows nothing.
  const isCutShort = signal.aborted && !limit.aborted
  deps.watch.note(asked, number, isCutShort && answer.contact === 'silent' ? { ...answer, contact: 'unasked' } : answer)
  if (answer.meaning === 'unavailable' && answer.contact === 'answered') {
    const { evidence } = answer
    deps.log.warn({ server, supplier: supplier.name, question, evidence }, 'a registration server gave no usable answer')
  }
  return answer.meaning
}

/**
 * Asks servers, live and at the same time, about one number, and remembers what they say. Comes back as
 * soon as one of them says yes: nobody needs to wait for the others then.
 *
 * @returns the servers' states so far; a server that is still being waited for is missing
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
 * Submits a number to those servers that do not have it yet. A server that cannot take it now is submitted
 * to by whoever asks next: nobody's answer depends on it.
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
