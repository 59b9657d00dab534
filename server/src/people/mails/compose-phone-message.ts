import { findPersonByEmail } from '../person-rows.ts'
import { readOwnPhone } from '../phone/own-phone.ts'
import { makePhoneCode, phoneCodeMinutes } from '../phone/phone-codes.ts'
import type { ComposeDeps, ComposedMail, QueuedMail } from './composed-mail.ts'

/** The subject is shown only where an installation keeps its texts. */
const textOf = (text: string): ComposedMail => ({ subject: 'Text message', text })

/**
 * Makes a code and composes the text with it. Nothing is sent when the text waited longer than a code is valid, or when its
 * number is no longer the right one: to confirm a number, the one that the person asked for; for a new password, the confirmed
 * one. Staff get no code for a new password: they have other ways.
 */
export async function composePhoneCode(
  { db, publicUrl }: ComposeDeps,
  { kind, email, phone, created_at: createdAt }: QueuedMail,
): Promise<ComposedMail | undefined> {
  const person = await findPersonByEmail(db, email)
  if (!person || phone === null || Date.now() - createdAt.getTime() > phoneCodeMinutes * 60_000) return undefined
  const own = await readOwnPhone(db, person.id)
  const purpose = kind === 'phone_code' ? 'confirm' : 'recover'
  if ((purpose === 'confirm' ? own.askedPhone : own.phone) !== phone) return undefined
  const isStaff = await db.selectFrom('staff').select('role').where('person_id', '=', person.id).executeTakeFirst()
  if (purpose === 'recover' && isStaff) return undefined
  const code = await makePhoneCode(db, { purpose, email, phone }, person.id)
  const what = purpose === 'confirm' ? 'confirms this number' : 'sets a new password'
  return textOf(`${code} ${what} at ${new URL(publicUrl).hostname}, for ${phoneCodeMinutes} minutes. We never ask you for it.`)
}

/** A text has no link, because links in texts are what thieves send. */
export async function composeLostFactorText(
  { db, publicUrl }: ComposeDeps,
  { email }: QueuedMail,
): Promise<ComposedMail | undefined> {
  const person = await findPersonByEmail(db, email)
  const lost = person && (await db.selectFrom('lost_factors').select('id').where('person_id', '=', person.id).executeTakeFirst())
  if (!lost) return undefined
  return textOf(
    `Somebody said that you lost your second factor at ${new URL(publicUrl).hostname}. If not you: stop it in the app or with our mail.`,
  )
}

export async function composePhoneChanged(
  { db, publicUrl }: ComposeDeps,
  { email }: QueuedMail,
): Promise<ComposedMail | undefined> {
  const person = await findPersonByEmail(db, email)
  if (!person) return undefined
  const { phone } = await readOwnPhone(db, person.id)
  const now = phone === null ? 'was removed' : `is the one that ends in ${phone.slice(-3)} now`
  return {
    subject: 'Your phone number was changed',
    text: `Hello ${person.name},\n\nyour phone number for a new password ${now}. If it was you, do nothing.\nIf it was not you, choose a new password and look at your phone number at once: ${publicUrl}/app/profile/phone`,
  }
}
