import { askAuth } from './auth/ask-auth.ts'
import { type Browser, headersFor } from './browser.ts'
import { queuePersonMail } from './mails/queue-person-mail.ts'
import type { PeopleDeps, SetCookies } from './people-deps.ts'

type PasswordDeps = Pick<PeopleDeps, 'db' | 'openAuth' | 'throttle'>

/**
 * Notes that somebody asks for a link to choose a new password. Whether the e-mail is known is looked up only when the
 * mail is sent, so that this answer is the same, and takes as long, for every e-mail.
 *
 * @throws RefusalError 429
 */
export async function forgotPassword(deps: PasswordDeps, email: string, address: string): Promise<void> {
  await deps.throttle.count('reset', email, address)
  await queuePersonMail(deps.db, 'forgot_password', email.toLowerCase())
}

/**
 * Sets a new password with the link that came by mail or from the operator, and ends every session of the person. Who
 * has the link gets the mails, so the e-mail counts as confirmed.
 *
 * @throws RefusalError 400 when the link was used or is too old, 429
 */
export async function resetPassword(
  deps: PasswordDeps,
  { token, password }: { readonly token: string; readonly password: string },
  address: string,
): Promise<void> {
  await deps.throttle.count('reset', undefined, address)
  const auth = await deps.openAuth({
    onPasswordReset: async ({ id, email }) => {
      await deps.db.updateTable('persons').set({ email_verified: true }).where('id', '=', id).execute()
      await queuePersonMail(deps.db, 'password_changed', email)
    },
  })
  await askAuth(auth.api.resetPassword({ body: { token, newPassword: password }, returnHeaders: true }))
}

/**
 * Changes the password of a person who knows the present one. All sessions end; this browser gets a new one.
 *
 * @throws RefusalError 401 when the present one is not right, 429
 */
export async function changePassword(
  deps: PasswordDeps,
  who: { readonly personId: string; readonly email: string },
  { current_password, password }: { readonly current_password: string; readonly password: string },
  browser: Browser,
): Promise<SetCookies> {
  await deps.throttle.count('confirm', who.personId, browser.address)
  const auth = await deps.openAuth()
  const body = { currentPassword: current_password, newPassword: password, revokeOtherSessions: true }
  const { cookies } = await askAuth(
    auth.api.changePassword({ body, headers: headersFor(browser, 'session'), returnHeaders: true }),
  )
  await queuePersonMail(deps.db, 'password_changed', who.email)
  return { cookies }
}
