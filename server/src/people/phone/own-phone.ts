import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { PersonalRow, PersonalSource } from '../../platform/forgetting/personal-source.ts'
import { countForThirdParty } from '../../platform/http/limits/third-party-limits.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { queuePersonMail } from '../mails/queue-person-mail.ts'
import { peopleRefusals } from '../people.refusals.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { signInTexts } from './phone.settings.ts'
import { consumePhoneCode, deletePhoneCodes } from './phone-codes.ts'

/** The numbers of a person: `phone` is confirmed, `askedPhone` was typed but is not confirmed yet. */
type OwnPhone = { readonly phone: string | null; readonly askedPhone: string | null }

/** A member in a session. The account is the subject of the log entry about a change. */
export type PhoneOwner = { readonly personId: string; readonly email: string; readonly accountId: string }

export async function readOwnPhone(db: Db | Tx, personId: string): Promise<OwnPhone> {
  const row = await db
    .selectFrom('person_phones')
    .select(['phone', 'asked_phone as askedPhone'])
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return row ?? { phone: null, askedPhone: null }
}

/** @throws RefusalError 400 for a text that is no Ghanaian number */
export function readPhone({ readPhoneNumber }: Pick<PeopleDeps, 'readPhoneNumber'>, text: string): string {
  const number = readPhoneNumber(text)
  if (number === undefined) throw new RefusalError(refusals.invalidRequest('phone must be a Ghanaian number.'))
  return number
}

/** @throws RefusalError 409 while the setting `sign_in_texts` is off */
export async function refuseWithoutTexts(db: Db): Promise<void> {
  if (!(await readSetting(db, signInTexts))) throw new RefusalError(peopleRefusals.noTexts)
}

/**
 * Sends a code to a number. `confirmPhone` makes it the person's own number; until then an earlier number stays valid.
 * @throws RefusalError 400 for no number, 409 where no texts are sent, 429 after too many texts
 */
export async function requestPhoneConfirmation(
  deps: Pick<PeopleDeps, 'db' | 'readPhoneNumber'>,
  { personId, email }: PhoneOwner,
  text: string,
): Promise<void> {
  const phone = readPhone(deps, text)
  await refuseWithoutTexts(deps.db)
  await countForThirdParty(deps.db, 'text', { recipient: phone, account: personId })
  await inTransaction(deps.db, async (tx) => {
    await sql`
      insert into person_phones (person_id, asked_phone) values (${personId}, ${phone})
      on conflict (person_id) do update set asked_phone = excluded.asked_phone`.execute(tx)
    await queuePersonMail(tx, 'phone_code', email, { phone })
  })
}

async function recordPhoneChange(tx: Tx, { personId, email, accountId }: PhoneOwner, action: string): Promise<void> {
  await deletePhoneCodes(tx, personId)
  await queuePersonMail(tx, 'phone_changed', email)
  // The log is kept for ever, so it has no number.
  await appendOperatorLog(tx, { actor: `person:${email}`, action, subject: accountId, details: { person_id: personId } })
}

/**
 * Makes the typed number the person's own, after its code. @throws RefusalError 400 for a wrong or old code, 429 after too many
 * tries
 */
export async function confirmPhone(
  { db, throttle }: Pick<PeopleDeps, 'db' | 'throttle'>,
  owner: PhoneOwner,
  code: string,
  address: string,
): Promise<void> {
  const { personId, email } = owner
  await throttle.count('phone_code', personId, address)
  await inTransaction(db, async (tx) => {
    const row = await tx.selectFrom('person_phones').selectAll().where('person_id', '=', personId).forUpdate().executeTakeFirst()
    const phone = row?.asked_phone
    const spent = phone && (await consumePhoneCode(tx, { purpose: 'confirm', email, phone }, code))
    if (spent !== personId) throw new RefusalError(peopleRefusals.wrongPhoneCode)
    await tx
      .updateTable('person_phones')
      .set({ phone, confirmed_at: sql<Date>`clock_timestamp()`, asked_phone: null })
      .where('person_id', '=', personId)
      .execute()
    await recordPhoneChange(tx, owner, 'member set-phone')
  })
  await throttle.resetCount('phone_code', personId)
}

export async function removePhone(db: Db, owner: PhoneOwner): Promise<void> {
  await inTransaction(db, async (tx) => {
    const removed = await tx
      .deleteFrom('person_phones')
      .where('person_id', '=', owner.personId)
      .returning('phone')
      .executeTakeFirst()
    // A number that was never confirmed was not in use, so nobody is told of its removal.
    if (removed?.phone != null) await recordPhoneChange(tx, owner, 'member remove-phone')
  })
}

export const phonesOfPerson: PersonalSource = {
  table: 'person_phones',
  title: 'Persons who sign in and have the number for a new password',
  async find({ db }, { forms }) {
    const { rows } = await sql<PersonalRow>`
      select person_id as id, persons.email, phone, asked_phone, confirmed_at
      from person_phones join persons on persons.id = person_id
      where phone = any(${forms}::text[]) or asked_phone = any(${forms}::text[])`.execute(db)
    return rows
  },
  keptBecause: 'the person’s own number, which only the person takes away (Profile, Phone number)',
}
