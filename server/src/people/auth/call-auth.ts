import { recordingDatabaseErrors } from '../../platform/database/record-database-errors.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { peopleRefusals } from '../people.refusals.ts'

import { secondFactorLockSeconds } from './auth-limits.ts'
import { cookiesToSet } from './person-cookies.ts'

/** A result of the sign-in library (better-auth), with the cookies for the browser. */
export type AuthResult<T> = { readonly response: T; readonly cookies: readonly string[] }

/**
 * The library's code of an error, such as `INVALID_TOKEN`: empty if it gave none, undefined if the error is not the library's.
 */
export function authErrorCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'APIError') return undefined
  const { body } = error as { body?: { code?: unknown } }
  return typeof body?.code === 'string' ? body.code : ''
}

/** The library's refusals in our words. A code that is missing here is a bug and answers 500. */
const refusalsByCode = {
  INVALID_EMAIL_OR_PASSWORD: peopleRefusals.wrongSignIn,
  INVALID_EMAIL: peopleRefusals.wrongSignIn,
  EMAIL_NOT_VERIFIED: peopleRefusals.emailNotVerified,
  INVALID_PASSWORD: peopleRefusals.wrongPassword,
  CREDENTIAL_ACCOUNT_NOT_FOUND: peopleRefusals.wrongPassword,
  INVALID_CODE: peopleRefusals.wrongCode,
  INVALID_BACKUP_CODE: peopleRefusals.wrongCode,
  TOTP_NOT_ENABLED: peopleRefusals.wrongCode,
  BACKUP_CODES_NOT_ENABLED: peopleRefusals.wrongCode,
  INVALID_TWO_FACTOR_COOKIE: peopleRefusals.signInAgain,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: peopleRefusals.signInAgain,
  ACCOUNT_TEMPORARILY_LOCKED: peopleRefusals.tooManyTries(secondFactorLockSeconds),
  INVALID_TOKEN: peopleRefusals.linkInvalid,
  TOKEN_EXPIRED: peopleRefusals.linkInvalid,
  USER_NOT_FOUND: peopleRefusals.linkInvalid,
  UNAUTHORIZED: peopleRefusals.notSignedIn,
} as const

/** True when another sign-in used the same back-up code at this moment. The library gives this error no code. */
const isCodeRace = (error: unknown) =>
  authErrorCodeOf(error) !== undefined && (error as { status?: unknown }).status === 'CONFLICT'

/**
 * Calls the library, and returns its result with the browser's cookies.
 *
 * @throws RefusalError for a refusal of the library; the database's own error where one is the cause, because the library would
 *   hide it
 */
export async function callAuth<T>(call: () => Promise<{ headers: Headers; response: T }>): Promise<AuthResult<T>> {
  try {
    const { headers, response } = await recordingDatabaseErrors(call)
    return { response, cookies: cookiesToSet(headers) }
  } catch (error) {
    const code = authErrorCodeOf(error) ?? ''
    if (Object.hasOwn(refusalsByCode, code)) throw new RefusalError(refusalsByCode[code as keyof typeof refusalsByCode])
    throw isCodeRace(error) ? new RefusalError(peopleRefusals.codeRaced) : error
  }
}
