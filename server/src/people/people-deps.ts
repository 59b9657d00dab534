import type { Db } from '../platform/database/database.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import type { OpenAuth } from './auth/open-auth.ts'
import type { Directory } from './directory/open-directory.ts'
import type { Throttle } from './throttle.ts'

export type PeopleDeps = {
  readonly db: Db
  readonly openAuth: OpenAuth
  readonly throttle: Throttle
  readonly secretsKeys: SecretsKeys
  readonly publicUrl: string
  /** The directory that staff may sign in with. Undefined: there is none. */
  readonly directory: Directory | undefined
  /** Reads a phone number in any format, as 0 and nine digits. */
  readonly readPhoneNumber: (text: string) => string | undefined
  /** Undefined: no mails are sent. */
  readonly smtpUrl: string | undefined
  /** The first word of every API key, such as `makola`. */
  readonly keyPrefix: string
  /** True: staff can do nothing at the desk before they have a second factor. */
  readonly isStaffTwoFactorNeeded: boolean
  /** True: mails are kept and shown in the browser instead of sent. */
  readonly isKeepingMails: boolean
  readonly isLive: boolean
  /** True when mails are sent, or kept for the browser, so that persons can read them. */
  readonly isMailing: boolean
}

export type SetCookies = { readonly cookies: readonly string[] }
