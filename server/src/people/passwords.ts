import type { Db } from '../platform/database/database.ts'
import { callAuth } from './auth/call-auth.ts'
import { deviceCookie } from './auth/known-device.ts'
import { type Browser, headersFor } from './browser.ts'
import { dropQueuedMails, queuePersonMail } from './mails/queue-person-mail.ts'
import type { PeopleDeps, SetCookies } from './people-deps.ts'

type PasswordDeps = Pick<PeopleDeps, 'db' | 'openAuth' | 'secretsKeys' | 'throttle'>

/**
 * Queues a mail with a link to choose a new password. The worker looks up whether the e-mail is known, so this answer is the
 * same, and takes as long, for every e-mail.
 *
 * @throws RefusalError 429 after too many requests
 */
export async function forgotPassword(deps: PasswordDeps, email: string, address: string): Promise<void> {
  await deps.throttle.count('reset', email, address)
  await queuePersonMail(deps.db, 'forgot_password', email.toLowerCase())
}

/**
 * Cancels all open ways into a person's account after its password was changed: links to set a password, queued mails with such
 * links, and sign-ins that still lack the second factor.
 */
async function endOpenLinks(db: Db, { personId, email }: { readonly personId: string; readonly email: string }): Promise<void> {
  await db.deleteFrom('person_verifications').where('value', '=', personId).execute()
  await dropQueuedMails(db, 'forgot_password', email)
}

/**
 * Sets a new password with the link that came by mail or from the operator, and ends all sessions and other links of the
 * person. The link proves the person's e-mail: it counts as confirmed, and this device as known (`known-device.ts`). A code
 * that came to the phone does not prove the e-mail (`isByMail` is false).
 *
 * @throws RefusalError 400 when the link was used or is too old, 429 after too many tries
 */
export async function resetPassword(
  deps: PasswordDeps,
  { token, password }: { readonly token: string; readonly password: string },
  browser: Browser,
  isByMail = true,
): Promise<SetCookies> {
  await deps.throttle.count('reset', undefined, browser.address)
  const known: string[] = []
  const auth = await deps.openAuth({
    onPasswordReset: async ({ id, email }) => {
      if (isByMail) await deps.db.updateTable('persons').set({ email_verified: true }).where('id', '=', id).execute()
      await endOpenLinks(deps.db, { personId: id, email })
      await queuePersonMail(deps.db, 'password_changed', email)
      if (isByMail) known.push(deviceCookie(deps.secretsKeys, browser.device, email))
    },
  })
  await callAuth(() => auth.api.resetPassword({ body: { token, newPassword: password }, returnHeaders: true }))
  return { cookies: known }
}

/**
 * Changes the password of a person who knows the present one. All sessions and links end; this browser gets a new session.
 *
 * @throws RefusalError 401 when the present one is wrong, 429 after too many tries
 */
export async function changePassword(
  deps: PasswordDeps,
  who: { readonly personId: string; readonly email: string },
  { currentPassword, password }: { readonly currentPassword: string; readonly password: string },
  browser: Browser,
): Promise<SetCookies> {
  await deps.throttle.count('confirm', who.personId, browser.address)
  const auth = await deps.openAuth()
  const body = { currentPassword, newPassword: password, revokeOtherSessions: true }
  const { cookies } = await callAuth(() =>
    auth.api.changePassword({ body, headers: headersFor(browser, 'session'), returnHeaders: true }),
  )
  await endOpenLinks(deps.db, who)
  await queuePersonMail(deps.db, 'password_changed', who.email)
  return { cookies }
}
