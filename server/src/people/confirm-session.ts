import { sql } from 'kysely'
import Value from 'typebox/value'
import { RefusalError } from '../platform/http/refusals.ts'
import { callAuth } from './auth/call-auth.ts'
import { verifyCode } from './auth/verify-code.ts'
import { type Browser, headersFor } from './browser.ts'
import { confirmationMinutes, type SignedInPerson } from './find-person.ts'
import { checkPasskey } from './passkeys/passkeys.ts'
import { peopleRefusals } from './people.refusals.ts'
import { CodeBody } from './people.schemas.ts'
import type { PeopleDeps } from './people-deps.ts'

export type SessionProof = { readonly password: string } | { readonly code: string } | { readonly passkey: string }

/**
 * True when a body has a code. A `code` that is not six digits counts as an unknown field beside another proof, such as a
 * password.
 */
export function isCode(given: object): given is { readonly code: string } {
  return Value.Check(CodeBody, given)
}

/**
 * Checks the password, a code of the second factor or a passkey once more. For ten minutes the session may then call routes
 * with `isConfirmationNeeded`, which change keys, money or roles.
 *
 * @returns when the ten minutes end
 * @throws RefusalError 401 for a wrong password, code or passkey, 409 for a code without a second factor, 429 after too many
 * tries
 */
export async function confirmSession(
  deps: Pick<PeopleDeps, 'db' | 'openAuth' | 'throttle' | 'publicUrl'>,
  { personId, sessionId, hasTwoFactor }: SignedInPerson,
  given: SessionProof,
  browser: Browser,
): Promise<Date> {
  if (isCode(given) && !hasTwoFactor) throw new RefusalError(peopleRefusals.secondFactorIsOff)
  await deps.throttle.count('confirm', personId, browser.address)
  const headers = headersFor(browser, 'session')
  if (isCode(given)) await verifyCode(deps, given, headers)
  else if ('passkey' in given) {
    await checkPasskey(deps, { purpose: 'confirm', holder: sessionId, personId }, given.passkey, browser)
  } else {
    const auth = await deps.openAuth()
    await callAuth(() => auth.api.verifyPassword({ body: { password: given.password }, headers, returnHeaders: true }))
  }
  await deps.throttle.resetCount('confirm', personId)
  const { rows } = await sql<{ until: Date }>`
    update person_sessions set confirmed_at = clock_timestamp() where id = ${sessionId}
    returning confirmed_at + make_interval(mins => ${confirmationMinutes}) as until`.execute(deps.db)
  // The session was ended from another browser at this moment.
  if (!rows[0]) throw new RefusalError(peopleRefusals.notSignedIn)
  return rows[0].until
}
