import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { newId } from '../database/new-id.ts'
import { isDeskUser, isSamePerson, isUserOnePerson, type Person } from './two-people.ts'

/** For this many days a person and the giver of that person's role cannot act as two people. */
export const roleGiverDays = 7

type Somebody = { readonly by: string; readonly osUser: string; readonly personId?: string | null | undefined }
type Given = {
  person_id: string
  email: string
  given_by: string
  given_os_user: string
  given_person_id: string | null
}

/** A person of the staff, and a role that the person got or lost. */
export type RoleOf = { readonly personId: string; readonly email: string; readonly role: string }

/** Records who gave a role at the desk to whom. */
export async function recordGivenRight(tx: Tx, { personId, email, role }: RoleOf, by: Somebody): Promise<void> {
  await tx
    .insertInto('given_rights')
    .values({
      id: newId(),
      person_id: personId,
      email,
      role,
      given_by: by.by,
      given_os_user: by.osUser,
      given_person_id: by.personId ?? null,
    })
    .execute()
}

/**
 * Records that a person has lost a role at the desk. For `roleGiverDays` the person still counts as one who could confirm the
 * loosening of a guard.
 */
export async function recordEndedRight(tx: Tx, { personId, email, role }: RoleOf, endedBy: string): Promise<void> {
  const row = { id: newId(), person_id: personId, email, role, ended_by: endedBy }
  await tx.insertInto('ended_rights').values(row).execute()
}

const isReceiver = ({ person_id: id, email }: Given, { by, personId }: Somebody) => personId === id || isSamePerson(email, by)

/** @param isMixedOne true when a user of the operating system and a sign-in at the desk cannot be told apart */
const isGiver = (given: Given, { by, osUser, personId }: Somebody, isMixedOne: boolean) =>
  isSamePerson(given.given_by, by) ||
  (typeof personId === 'string' && personId === given.given_person_id) ||
  (isMixedOne && isDeskUser(given.given_os_user) !== isDeskUser(osUser))

/**
 * The reason why these two cannot act as two people: one gave the other a role in the last `roleGiverDays` days. Otherwise one
 * owner could give a role to a second e-mail of their own, and confirm everything at once.
 */
export async function refuseInvited(tx: Tx, first: Somebody, second: Person): Promise<string | undefined> {
  const { rows } = await sql<Given>`
    select person_id, email, given_by, given_os_user, given_person_id from given_rights
    where given_at > clock_timestamp() - make_interval(days => ${roleGiverDays})`.execute(tx)
  if (rows.length === 0) return undefined
  const isMixedOne = await isUserOnePerson(tx)
  const found = rows.find(
    (given) =>
      (isReceiver(given, second) && isGiver(given, first, isMixedOne)) ||
      (isReceiver(given, first) && isGiver(given, second, isMixedOne)),
  )
  if (!found) return undefined
  return `${found.given_by} gave ${found.email} the role at the desk less than ${roleGiverDays} days ago: until then somebody else confirms.`
}
