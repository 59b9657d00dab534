import { prefixCheck } from '../../networks/networks.settings.ts'
import { belongsToNetwork, type NumberPlan } from '../../networks/number-plan.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { VerifyNumberBody } from './data.schemas.ts'
import { dataEnabled, dataSwitchedOff } from './data.settings.ts'
import type { RegistrationDeps } from './registration/learn-registrations.ts'
import { needsRegistration } from './registration/needs-registration.ts'
import type { ServerNo } from './registration/registration-servers.ts'
import { isAllowedByAcceptedServers, isRegisteredOnServer } from './registration/verify-registration.ts'

export type VerifyNumberDeps = {
  readonly settings: Settings
  readonly numberPlan: () => Promise<NumberPlan>
  readonly registrations: RegistrationDeps
}

async function refuseBadNumber(deps: VerifyNumberDeps, { network, recipient }: VerifyNumberBody): Promise<void> {
  if (!(await deps.settings.read(dataEnabled))) throw new RefusalError(dataSwitchedOff)
  if ((await deps.settings.read(prefixCheck)) !== 'enforce') return
  if (!belongsToNetwork(await deps.numberPlan(), recipient, network)) throw new RefusalError(refusals.prefixMismatch(network))
}

/**
 * Checks a number against the accepted registration servers, live (contract, POST /data/verify-number). Submits an unregistered
 * number for registration. Allows a number whose registration is unknown because a server did not answer.
 * @throws RefusalError 400 for a number of another network where `prefix_check` enforces that, 503 while data is switched off
 */
export async function verifyNumber(deps: VerifyNumberDeps, body: VerifyNumberBody): Promise<boolean> {
  await refuseBadNumber(deps, body)
  return !needsRegistration(body.network) || isAllowedByAcceptedServers(deps.registrations, body.recipient)
}

/**
 * Checks a number against one registration server, live, accepted or not (contract, POST /data/verify-number/server-1 and
 * /server-2). Submits an unregistered number to that server.
 * @throws RefusalError as `verifyNumber`, and 502 when the server cannot be reached
 */
export async function verifyNumberOnServer(deps: VerifyNumberDeps, server: ServerNo, body: VerifyNumberBody): Promise<boolean> {
  await refuseBadNumber(deps, body)
  return !needsRegistration(body.network) || isRegisteredOnServer(deps.registrations, server, body.recipient)
}
