import type { Db } from '../platform/database/database.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import type { OpenAuth } from './auth/open-auth.ts'
import type { Throttle } from './throttle.ts'

export type PeopleDeps = {
  readonly db: Db
  readonly openAuth: OpenAuth
  readonly throttle: Throttle
  readonly secretsKeys: SecretsKeys
  readonly publicUrl: string
  /** Undefined: no mails are sent. */
  readonly smtpUrl: string | undefined
  /** The first word of every key. */
  readonly keyPrefix: string
  /** Whether staff need a second factor to do anything. */
  readonly isStaffTwoFactorNeeded: boolean
  /** Whether mails are kept for the browser instead of sent. */
  readonly isKeepingMails: boolean
  readonly isLive: boolean
  /** Whether persons can read their mails: sent, or kept for the browser. */
  readonly isMailing: boolean
}

export type SetCookies = { readonly cookies: readonly string[] }
