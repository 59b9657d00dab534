import { RefusalError } from '../../../platform/http/refusals.ts'
import { dataRefusals } from '../data.refusals.ts'
import { type AskDeps, askServers, submitNumber } from './ask-servers.ts'
import { combineStates } from './combine-states.ts'
import type { RegistrationServer, RegistrationServers, ServerNo } from './registration-servers.ts'

type VerifyDeps = AskDeps & { readonly servers: RegistrationServers }

/** Time limit of a check and a submission together. Each call also has its own limit. */
const verifyMillisecondsMax = 6_000

async function askAndSubmit(deps: VerifyDeps, servers: readonly RegistrationServer[], number: string) {
  const signal = AbortSignal.timeout(verifyMillisecondsMax)
  const states = await askServers(deps, servers, number, { signal })
  const registration = combineStates(
    states,
    servers.map(({ server }) => server),
  )
  if (registration === 'not_registered') await submitNumber(deps, servers, number, states, { signal })
  return registration
}

/**
 * Asks the accepted servers whether an MTN number may buy (contract, Verify-number endpoints, 3). A number may also buy when
 * its registration is unknown, because a server gave no answer. Submits an unregistered number to the servers that lack it.
 */
export async function isAllowedByAcceptedServers(deps: VerifyDeps, number: string): Promise<boolean> {
  const registration = await askAndSubmit(deps, await deps.servers.listAccepted(), number)
  return registration !== 'not_registered'
}

/**
 * Asks one server whether it has registered an MTN number (contract, Verify-number endpoints, 4). The server may be one that is
 * not accepted, and no stored state is used. Submits an unregistered number to that server.
 * @throws RefusalError 502 when the server cannot be asked or does not answer: silence never counts as a yes here
 */
export async function isRegisteredOnServer(deps: VerifyDeps, server: ServerNo, number: string): Promise<boolean> {
  const registration = await askAndSubmit(deps, [await deps.servers.read(server)], number)
  if (registration === 'unknown') throw new RefusalError(dataRefusals.registrationServerUnreachable(server))
  return registration === 'registered'
}
