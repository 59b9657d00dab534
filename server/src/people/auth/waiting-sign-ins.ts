import { randomBytes } from 'node:crypto'
import { APIError, createAuthEndpoint, type createAuthMiddleware } from 'better-auth/api'
import { expireCookie, setSessionCookie } from 'better-auth/cookies'
import { personCookies } from './person-cookies.ts'

export type AuthContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

type WaitingContext = Pick<AuthContext, 'getSignedCookie' | 'context'>

/** Finds the person whose sign-in waits for the second factor, by the cookie that was set when the wait began. */
export async function findWaitingSignIn(ctx: WaitingContext): Promise<{ identifier: string; personId: string } | undefined> {
  const identifier = await ctx.getSignedCookie(personCookies.secondFactor, ctx.context.secret)
  if (!identifier) return undefined
  const waiting = await ctx.context.internalAdapter.findVerificationValue(identifier)
  return waiting ? { identifier, personId: waiting.value } : undefined
}

type IdentifiedPerson = { readonly personId: string }

/** The library checks bodies by the interface Standard Schema. Only our own code calls these steps, so nothing is left to check. */
const body = {
  '~standard': {
    version: 1,
    vendor: 'makola',
    validate: (value: unknown) => ({ value: value as IdentifiedPerson }),
    types: undefined as { readonly input: IdentifiedPerson; readonly output: IdentifiedPerson } | undefined,
  },
} as const

/** The library gives the same time for a code after a password. */
const waitSeconds = 600

const createNoSignInError = () =>
  APIError.from('UNAUTHORIZED', { code: 'INVALID_TWO_FACTOR_COOKIE', message: 'no sign-in waits' })

/** A plugin of the library: the steps of sign-ins that begin without a password, or end without one of its codes. */
export const waitingSignIns = () => ({
  id: 'waiting-sign-ins',
  endpoints: {
    /** Opens a session of a person whom the caller has identified in full. */
    openSession: createAuthEndpoint('/waiting/skip', { method: 'POST', body }, async (ctx) => {
      const { internalAdapter } = ctx.context
      const user = await internalAdapter.findUserById(ctx.body.personId)
      if (!user) throw createNoSignInError()
      await setSessionCookie(ctx, { session: await internalAdapter.createSession(user.id), user })
    }),
    /** Lets a sign-in wait for the second factor, as the library does after the password. */
    beginWaiting: createAuthEndpoint('/waiting/begin', { method: 'POST', body }, async (ctx) => {
      const { internalAdapter } = ctx.context
      const identifier = `2fa-${randomBytes(24).toString('base64url')}`
      const expiresAt = new Date(Date.now() + waitSeconds * 1_000)
      await internalAdapter.createVerificationValue({ value: ctx.body.personId, identifier, expiresAt })
      await internalAdapter.createVerificationValue({ value: '0', identifier: `2fa-attempts-${identifier}`, expiresAt })
      const cookie = ctx.context.createAuthCookie('two_factor', { maxAge: waitSeconds })
      await ctx.setSignedCookie(cookie.name, identifier, ctx.context.secret, cookie.attributes)
    }),
    readWaitingPerson: createAuthEndpoint('/waiting/person', { method: 'GET' }, async (ctx) => {
      const waiting = await findWaitingSignIn(ctx)
      if (!waiting) throw createNoSignInError()
      return { personId: waiting.personId }
    }),
    /** Opens the session. The caller has checked the second factor of the person whom `readWaitingPerson` gave. */
    endWaiting: createAuthEndpoint('/waiting/end', { method: 'POST' }, async (ctx) => {
      const waiting = await findWaitingSignIn(ctx)
      const { internalAdapter } = ctx.context
      // Of several requests at once, only one can consume the row.
      const consumed = waiting && (await internalAdapter.consumeVerificationValue(waiting.identifier))
      const user = consumed && (await internalAdapter.findUserById(consumed.value))
      if (!user) throw createNoSignInError()
      await setSessionCookie(ctx, { session: await internalAdapter.createSession(user.id), user })
      expireCookie(ctx, ctx.context.createAuthCookie('two_factor'))
      return { email: user.email }
    }),
  },
})
