import type { Db, Tx } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'

export type NewPerson = {
  readonly personId: string
  readonly name: string
  /** In lower case. */
  readonly email: string
  readonly isVerified: boolean
}

/** Inserts a person. @returns false, and inserts nothing, when a person has this e-mail already */
export async function insertPerson(tx: Tx, { personId, name, email, isVerified }: NewPerson): Promise<boolean> {
  const row = await tx
    .insertInto('persons')
    .values({ id: personId, name, email, email_verified: isVerified, image: null })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function setPassword(tx: Tx, personId: string, passwordHash: string): Promise<void> {
  await tx
    .insertInto('person_credentials')
    .values({ id: newId(), person_id: personId, provider: 'credential', subject: personId, password: passwordHash })
    .execute()
}

/** Finds a person by the e-mail. Capitals do not matter. */
export function findPersonByEmail(db: Db | Tx, email: string) {
  return db
    .selectFrom('persons')
    .select(['id', 'name', 'email', 'email_verified'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
}
