import Type, { type Static, type TSchema } from 'typebox'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Uuid } from '../../platform/http/schemas.ts'
import { WithHelp, WithOptionName } from '../../platform/operations/fields.ts'
import type { OperationDeps } from '../../platform/operations/operation.ts'
import { readPersonByEmail } from '../manage-people.ts'

/** A person, named by id at the desk and by e-mail on the command line, see `replaceEmailById`. */
export const PersonIdByEmail = <Id extends TSchema>(id: Id): Id =>
  WithOptionName('email', WithHelp('the person’s, with which it signs in', id))

/** Looks up the person whose e-mail stands in `personId`, and puts the id there. @throws AccountError when nobody has this e-mail */
export async function replaceEmailById<Typed extends { readonly personId: string }>(
  { db }: OperationDeps,
  typed: Typed,
): Promise<Typed> {
  const { id } = await inTransaction(db, (tx) => readPersonByEmail(tx, typed.personId))
  return { ...typed, personId: id }
}

/** A person as the command line prints it with `--json`. */
export const PrintedPerson = Type.Object({
  personId: Uuid(),
  name: Type.String(),
  email: Type.String(),
  role: Type.String(),
  hasTwoFactor: Type.Boolean(),
})

export function describePersons(persons: readonly Omit<Static<typeof PrintedPerson>, 'name' | 'personId'>[]): string {
  return persons
    .map(({ email, role, hasTwoFactor }) => `${email}  ${role}, ${hasTwoFactor ? 'with' : 'without'} a second factor`)
    .join('\n')
}
