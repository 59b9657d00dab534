import { countForThirdParty } from '../../platform/http/limits/third-party-limits.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { Browser } from '../browser.ts'
import { makePasswordToken } from '../mails/make-link.ts'
import { queuePersonMail } from '../mails/queue-person-mail.ts'
import { resetPassword } from '../passwords.ts'
import { peopleRefusals } from '../people.refusals.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { readPhone, refuseWithoutTexts } from './own-phone.ts'
import { consumePhoneCode } from './phone-codes.ts'

type RecoveryDeps = Pick<PeopleDeps, 'db' | 'openAuth' | 'secretsKeys' | 'throttle' | 'readPhoneNumber'>

type AskedRecovery = { readonly email: string; readonly phone: string }

/**
 * Queues a text with a code to choose a new password. The worker looks up whether the number is the confirmed one of the person
 * with this e-mail, so this answer is the same, and takes as long, for every e-mail and number.
 *
 * @throws RefusalError 400 for no number, 409 where no texts are sent, 429 after too many requests
 */
export async function requestRecoveryCode(deps: RecoveryDeps, asked: AskedRecovery, address: string): Promise<void> {
  const phone = readPhone(deps, asked.phone)
  const email = asked.email.toLowerCase()
  await deps.throttle.count('reset', email, address)
  await refuseWithoutTexts(deps.db)
  await countForThirdParty(deps.db, 'text', { recipient: phone })
  await queuePersonMail(deps.db, 'phone_recovery', email, { phone })
}

/**
 * Sets a new password with the code of the text. All sessions and links end, and a mail tells the person. The second factor
 * stays, and an e-mail that is not confirmed stays so.
 *
 * @throws RefusalError 400 for a wrong or old code, for every e-mail and number alike, 429 after too many tries
 */
export async function recoverByPhone(
  deps: RecoveryDeps,
  given: AskedRecovery & { readonly code: string; readonly password: string },
  browser: Browser,
): Promise<void> {
  const email = given.email.toLowerCase()
  await deps.throttle.count('phone_code', email, browser.address)
  const phone = readPhone(deps, given.phone)
  const personId = await consumePhoneCode(deps.db, { purpose: 'recover', email, phone }, given.code)
  if (personId === undefined) throw new RefusalError(peopleRefusals.wrongPhoneCode)
  const token = await makePasswordToken(deps.openAuth, email, 1)
  await resetPassword(deps, { token, password: given.password }, browser, false)
  await deps.throttle.resetCount('phone_code', email)
}
