import type { Db } from '../platform/database/database.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import type { OpenAuth } from './auth/open-auth.ts'
import type { Throttle } from './throttle.ts'

/** What the functions for persons work with. */
export type PeopleDeps = {
  readonly db: Db
  readonly openAuth: OpenAuth
  readonly throttle: Throttle
  readonly secretsKeys: SecretsKeys
  readonly publicUrl: string
  /** Where mails leave; undefined: nowhere. */
  readonly smtpUrl: string | undefined
  /** The first word of every key. */
  readonly keyPrefix: string
  /** Whether staff may do nothing without a second factor. */
  readonly isStaffTwoFactorNeeded: boolean
  /** Whether mails are kept for the browser instead of sent. */
  readonly isKeepingMails: boolean
  /** Whether this process works with real money. */
  readonly isLive: boolean
  /** Whether mails reach their readers: they are sent, or kept for the browser. */
  readonly isMailing: boolean
}

/** The cookies that an answer sets in the browser. */
export type SetCookies = { readonly cookies: readonly string[] }
