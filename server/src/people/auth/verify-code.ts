import type { PeopleDeps } from '../people-deps.ts'
import { type AuthResult, callAuth } from './call-auth.ts'
import { clearCodeTries } from './count-code-tries.ts'

/** A code of the person's authenticator app, or a back-up code, which works once. */
export type GivenCode = { readonly code: string } | { readonly backupCode: string }

export type VerifiedPerson = { readonly personId: string; readonly email: string }

/**
 * Checks a code for the session or the pending sign-in of the headers.
 *
 * @throws RefusalError 401 for a wrong code or a sign-in that is over, 409 when another sign-in used the same back-up code at
 * this moment, 429 after too many codes
 */
export async function verifyCode(
  { db, openAuth }: Pick<PeopleDeps, 'db' | 'openAuth'>,
  given: GivenCode,
  headers: Headers,
): Promise<AuthResult<VerifiedPerson>> {
  const auth = await openAuth()
  const { response, cookies } = await callAuth(() =>
    'code' in given
      ? auth.api.verifyTOTP({ body: { code: given.code }, headers, returnHeaders: true })
      : auth.api.verifyBackupCode({ body: { code: given.backupCode }, headers, returnHeaders: true }),
  )
  const { id: personId, email } = response.user
  await clearCodeTries(db, personId)
  return { response: { personId, email }, cookies }
}
