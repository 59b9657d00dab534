import { betterAuth } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Db } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import type { SecretsKey, SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { passwordLength } from './auth-limits.ts'
import { makeBackUpCodes } from './back-up-codes.ts'
import { consumeCode } from './consume-code.ts'
import { countCodeTry } from './count-code-tries.ts'
import { hashPersonPassword, isPersonPassword } from './hash-password.ts'
import { personCookies } from './person-cookies.ts'
import { type AuthContext, findWaitingSignIn, waitingSignIns } from './waiting-sign-ins.ts'

export type AuthDeps = { readonly db: Db; readonly secretsKeys: SecretsKeys; readonly publicUrl: string }

/** The settings of the library that differ between its uses. */
export type AuthUse = {
  /** Called with the token of a link. The caller sends or prints the link. */
  readonly onToken?: (token: string) => void
  readonly onPasswordReset?: (person: { readonly id: string; readonly email: string }) => Promise<void>
  readonly resetHours?: number
}

const daySeconds = 86_400

/** A session ends when nobody uses it for this long, or up to a day earlier, because only one use a day prolongs it. */
const sessionDays = 7

/** The library numbers its secrets. Ours are numbered by the key, so that a number stays when the keys are reordered. */
const versionOf = (key: SecretsKey) => Number.parseInt(key.id, 16)

function versionedSecrets({ current, byId }: SecretsKeys) {
  const older = [...byId.values()].filter((key) => key.id !== current.id)
  return [current, ...older].map((key) => ({ version: versionOf(key), value: key.personsKey.toString('base64url') }))
}

/** The library's names of tables and columns, each with ours. */
const tables = {
  user: {
    modelName: 'persons',
    fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
  session: {
    modelName: 'person_sessions',
    fields: {
      userId: 'person_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
    expiresIn: sessionDays * daySeconds,
    updateAge: daySeconds,
  },
  account: {
    modelName: 'person_credentials',
    fields: {
      userId: 'person_id',
      accountId: 'subject',
      providerId: 'provider',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    modelName: 'person_verifications',
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    storeIdentifier: 'hashed',
  },
} as const

const twoFactorSchema = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'person_two_factors',
    fields: {
      userId: 'person_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
}

/** Finds who gives a code: the person of the session, or of the sign-in that waits for the second factor. */
async function personGivingCode(ctx: AuthContext): Promise<string | undefined> {
  const session = await getSessionFromCtx(ctx)
  if (session) return session.user.id
  return (await findWaitingSignIn(ctx))?.personId
}

const codePaths = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code'])

/**
 * Counts each code, and refuses a code of the authenticator app that was used before, because the library would accept it until
 * it expires. Counts nothing while the second factor is switched off, because there is nothing to guess then.
 */
const checkCodes = (db: Db) =>
  createAuthMiddleware(async (ctx) => {
    if (!codePaths.has(ctx.path)) return
    const personId = await personGivingCode(ctx)
    if (personId === undefined) return
    const factors = db.selectFrom('person_two_factors').select(['secret', 'verified']).where('person_id', '=', personId)
    const factor = await factors.executeTakeFirst()
    if (!factor) return
    if (factor.verified && !(await countCodeTry(db, personId))) {
      throw APIError.from('TOO_MANY_REQUESTS', { code: 'ACCOUNT_TEMPORARILY_LOCKED', message: 'too many codes were given' })
    }
    if (ctx.path !== '/two-factor/verify-totp') return
    const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: factor.secret })
    const { code } = ctx.body as { code: string }
    if (await consumeCode(db, personId, secret, code)) return
    throw APIError.from('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'the code was given before' })
  })

const cookieAttributes = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' } as const

/**
 * Opens the library better-auth on our own tables. Only its functions are called, never its HTTP handler, so our own checks of
 * origins (`check-persons.ts`) and limits (`throttle.ts`) replace those of the library.
 */
export function createAuth({ db, secretsKeys, publicUrl }: AuthDeps, use: AuthUse = {}) {
  return betterAuth({
    appName: 'Makola',
    baseURL: publicUrl,
    database: { db, type: 'postgres' },
    secrets: versionedSecrets(secretsKeys),
    ...tables,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      password: { hash: hashPersonPassword, verify: isPersonPassword },
      resetPasswordTokenExpiresIn: (use.resetHours ?? 1) * 3_600,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ token }) => use.onToken?.(token),
      onPasswordReset: async ({ user }) => use.onPasswordReset?.(user),
    },
    emailVerification: {
      expiresIn: daySeconds,
      sendVerificationEmail: async ({ token }) => use.onToken?.(token),
    },
    hooks: { before: checkCodes(db) },
    // The library's own lock counts after the check, so many codes at once would pass it; `countCodeTry` counts before.
    plugins: [
      twoFactor({
        issuer: 'Makola',
        schema: twoFactorSchema,
        accountLockout: { enabled: false },
        backupCodeOptions: { customBackupCodesGenerate: makeBackUpCodes },
      }),
      waitingSignIns(),
    ],
    advanced: {
      // Our tables lack the library's columns for ways to sign in that we do not offer. With validation on, the library would
      // refuse every call.
      database: { generateId: () => newId(), validateSchema: false },
      defaultCookieAttributes: cookieAttributes,
      // Without this setting, the library would put a prefix before the names of our cookies.
      useSecureCookies: false,
      cookies: {
        session_token: { name: personCookies.session },
        two_factor: { name: personCookies.secondFactor },
      },
      // Only `headersFor` writes this header, and a request's own headers never reach the library, so nobody can forge it.
      ipAddress: { ipAddressHeaders: ['x-makola-address'] },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Our routes answer or throw what the library would log.
    logger: { disabled: true },
  })
}

export type Auth = ReturnType<typeof createAuth>

/** Encrypts a text of the library with the current key. Any of the keys may have encrypted it before. */
export async function encryptAnew(secretsKeys: SecretsKeys, text: string): Promise<string> {
  const secrets = versionedSecrets(secretsKeys)
  const keys = new Map(secrets.map(({ version, value }) => [version, value]))
  const key = { keys, currentVersion: versionOf(secretsKeys.current) }
  return symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data: text }) })
}

/** The beginning of every text that is encrypted with the current key. */
export const currentEncryptionPrefix = (secretsKeys: SecretsKeys) => `$ba$${versionOf(secretsKeys.current)}$`
