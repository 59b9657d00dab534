import { RefusalError } from '../platform/http/refusals.ts'
import { readBackUpCode } from './auth/back-up-codes.ts'
import { type AuthResult, callAuth } from './auth/call-auth.ts'
import type { Auth } from './auth/create-auth.ts'
import { deviceCookie, knownDeviceId } from './auth/known-device.ts'
import { verifyCode } from './auth/verify-code.ts'
import { type Browser, headersFor } from './browser.ts'
import { isCode } from './confirm-session.ts'
import { checkPasskey, createPasskeyRequest, hasPasskey } from './passkeys/passkeys.ts'
import { peopleRefusals } from './people.refusals.ts'
import type { PeopleDeps, SetCookies } from './people-deps.ts'
import { findPersonByEmail } from './person-rows.ts'

/** `second_factor`: the password or the directory was accepted, and a code or a passkey must follow within ten minutes. */
export type SignInStatus = 'signed_in' | 'second_factor'

export type SignedIn = SetCookies & {
  readonly status: SignInStatus
  /** True when a passkey of the person can end the sign-in in place of a code. */
  readonly hasPasskey?: boolean
}

type SignInDeps = Pick<PeopleDeps, 'db' | 'openAuth' | 'secretsKeys' | 'throttle' | 'publicUrl'>

export type SignInCredentials = { readonly email: string; readonly password: string }

/** Ends the session that this browser still has, because every sign-in begins a new one with a new token. */
export async function endOldSession(auth: Auth, browser: Browser): Promise<void> {
  if (browser.session === undefined) return
  await callAuth(() => auth.api.signOut({ headers: headersFor(browser, 'session'), returnHeaders: true }))
}

async function signInWithPassword(auth: Auth, { email, password }: SignInCredentials, browser: Browser): Promise<SignedIn> {
  const { response, cookies } = await callAuth(() =>
    auth.api.signInEmail({ body: { email, password }, headers: headersFor(browser, 'none'), returnHeaders: true }),
  )
  // The library's types do not contain the answer that it gives when a second factor is needed.
  const status = 'twoFactorRedirect' in response ? 'second_factor' : 'signed_in'
  return { status, cookies }
}

/**
 * Signs a person in by e-mail and password. An unknown e-mail takes as long, and gets the same refusal, as a wrong password.
 *
 * @throws RefusalError 401 for a wrong e-mail or password, 403 when the e-mail is not confirmed, 429 after too many tries
 */
export async function signIn(deps: SignInDeps, given: SignInCredentials, browser: Browser): Promise<SignedIn> {
  const email = given.email.toLowerCase()
  const tried = { email, address: browser.address, deviceId: knownDeviceId(deps.secretsKeys, browser.device, email) }
  await deps.throttle.countSignIn(tried)
  const auth = await deps.openAuth()
  const { status, cookies } = await signInWithPassword(auth, { email, password: given.password }, browser)
  await deps.throttle.resetSignIn(tried)
  await endOldSession(auth, browser)
  const known = status === 'signed_in' ? [deviceCookie(deps.secretsKeys, browser.device, email)] : []
  const person = status === 'second_factor' ? await findPersonByEmail(deps.db, email) : undefined
  const has = person !== undefined && (await hasPasskey(deps.db, person.id))
  return { status, ...(has && { hasPasskey: true }), cookies: [...cookies, ...known] }
}

/** Reads the e-mail of a link's token. Its signature is not checked yet, so it may be forged. */
function readEmailOf(token: string): string {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const { email } = claims as { email?: unknown }
    if (typeof email === 'string') return email
  } catch {
    // A token that cannot be read is refused like one without an e-mail.
  }
  throw new RefusalError(peopleRefusals.linkInvalid)
}

/**
 * Confirms the e-mail of a person who signed up, and signs the person in. It needs the password besides the link, because
 * somebody may have signed up with another person's e-mail, and that person may open the link.
 *
 * @throws RefusalError 400 when the link is not valid, 401 when the password is wrong, 429 after too many tries
 */
export async function verifyEmail(
  deps: SignInDeps,
  { token, password }: { readonly token: string; readonly password: string },
  browser: Browser,
): Promise<SignedIn> {
  const given = { email: readEmailOf(token), password }
  try {
    return await signIn(deps, given, browser)
  } catch (error) {
    if (!(error instanceof RefusalError) || error.refusal !== peopleRefusals.emailNotVerified) throw error
    const auth = await deps.openAuth()
    await callAuth(() => auth.api.verifyEmail({ query: { token }, returnHeaders: true }))
    return signIn(deps, given, browser)
  }
}

export type SecondFactor = { readonly code: string } | { readonly backup_code: string } | { readonly passkey: string }

/** Finds the person whose sign-in waits in this browser. @throws RefusalError 401 when none waits */
export async function readWaitingSignIn(deps: Pick<PeopleDeps, 'openAuth'>, browser: Browser) {
  const auth = await deps.openAuth()
  const headers = headersFor(browser, 'secondFactor')
  const { response } = await callAuth(() => auth.api.readWaitingPerson({ headers, returnHeaders: true }))
  return { purpose: 'second_factor', holder: browser.secondFactor ?? '', personId: response.personId } as const
}

/**
 * Makes the options for a browser to end a sign-in with a passkey, as JSON.
 * @throws RefusalError 401 when no sign-in waits, 429 after too many tries; also as `createPasskeyRequest` does
 */
export async function createPasskeyRequestForSignIn(deps: SignInDeps, browser: Browser): Promise<string> {
  await deps.throttle.count('passkey', browser.secondFactor, browser.address)
  return createPasskeyRequest(deps, await readWaitingSignIn(deps, browser))
}

/** A passkey cannot be guessed, so it is accepted even while codes are locked after too many wrong ones. */
async function endWithPasskey(deps: SignInDeps, passkey: string, browser: Browser): Promise<AuthResult<{ email: string }>> {
  await checkPasskey(deps, await readWaitingSignIn(deps, browser), passkey, browser)
  const auth = await deps.openAuth()
  return callAuth(() => auth.api.endWaiting({ headers: headersFor(browser, 'secondFactor'), returnHeaders: true }))
}

async function endWithCode(deps: SignInDeps, given: Exclude<SecondFactor, { passkey: string }>, browser: Browser) {
  const code = isCode(given) ? given : { backupCode: readBackUpCode(given.backup_code) }
  return verifyCode(deps, code, headersFor(browser, 'secondFactor'))
}

/**
 * Completes a sign-in with a code of the authenticator app, a passkey, or a back-up code, which works once.
 *
 * @throws RefusalError as `verifyCode` and `checkPasskey` do
 */
export async function completeSignIn(deps: SignInDeps, given: SecondFactor, browser: Browser): Promise<SignedIn> {
  await deps.throttle.count('second_factor', browser.secondFactor, browser.address)
  const ending =
    'passkey' in given && !isCode(given) ? endWithPasskey(deps, given.passkey, browser) : endWithCode(deps, given, browser)
  const { response, cookies } = await ending
  await endOldSession(await deps.openAuth(), browser)
  return {
    status: 'signed_in',
    cookies: [...cookies, deviceCookie(deps.secretsKeys, browser.device, response.email)],
  }
}

/** Ends this browser's session, if it has one, and deletes its cookie. */
export async function signOut({ openAuth }: Pick<PeopleDeps, 'openAuth'>, browser: Browser): Promise<SetCookies> {
  const auth = await openAuth()
  const { cookies } = await callAuth(() => auth.api.signOut({ headers: headersFor(browser, 'session'), returnHeaders: true }))
  return { cookies }
}
