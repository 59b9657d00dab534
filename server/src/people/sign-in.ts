import { RefusalError } from '../platform/http/refusals.ts'
import { askAuth } from './auth/ask-auth.ts'
import { readBackUpCode } from './auth/back-up-codes.ts'
import type { Auth } from './auth/create-auth.ts'
import { deviceCookie, knownDeviceId } from './auth/known-device.ts'
import { verifyCode } from './auth/verify-code.ts'
import { type Browser, headersFor } from './browser.ts'
import { isCode } from './confirm-session.ts'
import { peopleRefusals } from './people.refusals.ts'
import type { PeopleDeps, SetCookies } from './people-deps.ts'

/** `second_factor`: the password was right, and a code must follow within ten minutes. */
export type SignInStatus = 'signed_in' | 'second_factor'

export type SignedIn = SetCookies & { readonly status: SignInStatus }

type SignInDeps = Pick<PeopleDeps, 'db' | 'openAuth' | 'secretsKeys' | 'throttle'>

export type Password = { readonly email: string; readonly password: string }

/** Ends the session that this browser still has, because every sign-in begins a new one with a new token. */
async function endOldSession(auth: Auth, browser: Browser): Promise<void> {
  if (browser.session === undefined) return
  await askAuth(() => auth.api.signOut({ headers: headersFor(browser, 'session'), returnHeaders: true }))
}

async function givePassword(auth: Auth, { email, password }: Password, browser: Browser): Promise<SignedIn> {
  const { response, cookies } = await askAuth(() =>
    auth.api.signInEmail({ body: { email, password }, headers: headersFor(browser, 'none'), returnHeaders: true }),
  )
  // The library's types do not contain the answer that it gives when a second factor is needed.
  const status = 'twoFactorRedirect' in response ? 'second_factor' : 'signed_in'
  return { status, cookies }
}

/**
 * Signs a person in by e-mail and password. An unknown e-mail takes as long, and gets the same refusal, as a wrong password.
 *
 * @throws RefusalError 401 wrong, 403 e-mail not confirmed, 429
 */
export async function signIn(deps: SignInDeps, given: Password, browser: Browser): Promise<SignedIn> {
  const email = given.email.toLowerCase()
  const tried = { email, address: browser.address, deviceId: knownDeviceId(deps.secretsKeys, browser.device, email) }
  await deps.throttle.countSignIn(tried)
  const auth = await deps.openAuth()
  const { status, cookies } = await givePassword(auth, { email, password: given.password }, browser)
  await deps.throttle.forgetSignIn(tried)
  await endOldSession(auth, browser)
  const known = status === 'signed_in' ? [deviceCookie(deps.secretsKeys, browser.device, email)] : []
  return { status, cookies: [...cookies, ...known] }
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
 * somebody may have signed up with an e-mail of another person, who then opens the link.
 *
 * @throws RefusalError 400 when the link is not valid, 401 when the password is wrong, 429
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
    await askAuth(() => auth.api.verifyEmail({ query: { token }, returnHeaders: true }))
    return signIn(deps, given, browser)
  }
}

export type SecondFactor = { readonly code: string } | { readonly backup_code: string }

/**
 * Completes a sign-in with a code of the person's app, or with a back-up code, which works once.
 *
 * @throws RefusalError as `verifyCode` does
 */
export async function giveSecondFactor(deps: SignInDeps, given: SecondFactor, browser: Browser): Promise<SignedIn> {
  await deps.throttle.count('second_factor', browser.secondFactor, browser.address)
  const code = isCode(given) ? given : { backupCode: readBackUpCode(given.backup_code) }
  const { response, cookies } = await verifyCode(deps, code, headersFor(browser, 'secondFactor'))
  await endOldSession(await deps.openAuth(), browser)
  return { status: 'signed_in', cookies: [...cookies, deviceCookie(deps.secretsKeys, browser.device, response.email)] }
}

/** Ends this browser's session, if it has one, and deletes its cookie. */
export async function signOut({ openAuth }: Pick<PeopleDeps, 'openAuth'>, browser: Browser): Promise<SetCookies> {
  const auth = await openAuth()
  const { cookies } = await askAuth(() => auth.api.signOut({ headers: headersFor(browser, 'session'), returnHeaders: true }))
  return { cookies }
}
