import type { RegistrationAnswer } from '../../../suppliers/registration-port.ts'
import type { ServerNo } from './registration-servers.ts'

/** What a server said about a number. */
export type ServerState = RegistrationAnswer['meaning']

/** What is known of a number by server; a server that was not asked, or did not answer, may be missing. */
export type ServerStates = ReadonlyMap<ServerNo, ServerState>

/** What several servers together say. `unknown`: none says yes, and at least one could not be asked. */
export type Registration = 'registered' | 'not_registered' | 'unknown'

/**
 * Combines the answers of the accepted servers (decision N7). One yes means registered. Otherwise, if one is silent,
 * the result is unknown, which lets the purchase pass. Otherwise not registered. Pure.
 */
export function combineStates(states: ServerStates, accepted: readonly ServerNo[]): Registration {
  const said = accepted.map((server) => states.get(server) ?? 'unavailable')
  if (said.includes('registered')) return 'registered'
  return said.includes('unavailable') ? 'unknown' : 'not_registered'
}
