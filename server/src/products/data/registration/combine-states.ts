import type { RegistrationAnswer } from '../../../suppliers/registration-port.ts'
import type { ServerNo } from './registration-servers.ts'

export type ServerState = RegistrationAnswer['meaning']

/** Known states of a number by server. A server that was not asked, or has not answered yet, is absent. */
export type ServerStates = ReadonlyMap<ServerNo, ServerState>

/** Combined state of several servers. `unknown`: none said `registered`, and at least one gave no answer. */
export type Registration = 'registered' | 'not_registered' | 'unknown'

/**
 * Combines the answers of the accepted servers (decision N7). One `registered` is enough. Otherwise a server without an answer
 * makes the result unknown, which lets the purchase pass. Otherwise the number is not registered. Pure.
 */
export function combineStates(states: ServerStates, accepted: readonly ServerNo[]): Registration {
  const acceptedStates = accepted.map((server) => states.get(server) ?? 'unavailable')
  if (acceptedStates.includes('registered')) return 'registered'
  return acceptedStates.includes('unavailable') ? 'unknown' : 'not_registered'
}
