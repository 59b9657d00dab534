import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'

export const phoneCodeMinutes = 10

/** The use that a code was sent for. The code is accepted for this use only. */
export type PhoneCodeUse = {
  readonly purpose: 'confirm' | 'recover'
  /** In lower case. */
  readonly email: string
  readonly phone: string
}

const prefixOf = (purpose: string) => `phone ${purpose} `

function identifierOf({ purpose, email, phone }: PhoneCodeUse, code: string): string {
  return `${prefixOf(purpose)}${createHash('sha256').update([email, phone, code].join(' ')).digest('base64url')}`
}

/** Makes a code of six digits in place of the earlier one for this purpose. A new password makes it invalid. */
export async function makePhoneCode(db: Db, use: PhoneCodeUse, personId: string): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await deletePhoneCodes(db, personId, use.purpose)
  await sql`
    insert into person_verifications (id, identifier, value, expires_at)
    values (${newId()}, ${identifierOf(use, code)}, ${personId}, clock_timestamp() + make_interval(mins => ${phoneCodeMinutes}))`.execute(
    db,
  )
  return code
}

/** Uses a code up. @returns the person's id; undefined for a wrong, old or used code */
export async function consumePhoneCode(db: Db | Tx, use: PhoneCodeUse, code: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    delete from person_verifications
    where identifier = ${identifierOf(use, code)} and expires_at > clock_timestamp() returning value`.execute(db)
  return rows[0]?.value
}

/** @param purpose left out: codes for all purposes */
export async function deletePhoneCodes(db: Db | Tx, personId: string, purpose = ''): Promise<void> {
  await db
    .deleteFrom('person_verifications')
    .where('value', '=', personId)
    .where('identifier', 'like', `${prefixOf(purpose).trimEnd()}%`)
    .execute()
}
