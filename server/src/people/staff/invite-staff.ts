import { sql } from 'kysely'
import { AccountError } from '../../accounts/account.ts'
import type { Person } from '../../platform/approvals/two-people.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { staffLinkHours } from '../mails/compose-person-mail.ts'
import { makePasswordLink } from '../mails/make-link.ts'
import { queuePersonMail } from '../mails/queue-person-mail.ts'
import { createStaff, type Invitation, type InvitedPerson } from '../manage-people.ts'
import type { PeopleDeps } from '../people-deps.ts'
import type { StaffRole } from '../permissions/staff-permissions.ts'
import { addStaff, grantKind } from './grant-role.ts'
import { listStaff, type StaffChange } from './manage-staff.ts'

/**
 * Makes a member of the staff whose role needs no approval, as if it had been given at the beginning: for demos and tests,
 * which invent a history.
 */
export async function createFirstStaff(tx: Tx, staff: Invitation & { readonly role: StaffRole }): Promise<InvitedPerson> {
  const invited = await createStaff(tx, staff)
  await sql`
    insert into loosenings (id, kind, subject, value, at)
    values (${newId()}, ${grantKind.name}, ${invited.personId}, ${JSON.stringify({ role: staff.role })}, 'epoch')`.execute(tx)
  return invited
}

type InviteDeps = Pick<PeopleDeps, 'db' | 'openAuth' | 'publicUrl' | 'isMailing'>

export type StaffInvitation = {
  readonly personId: string
  readonly email: string
  readonly isMailed: boolean
  /**
   * A link to set a password, for the inviting person to hand on. Null where a mail brings it, and for a person who has a
   * password.
   */
  readonly setUpLink: string | null
  /** The proposal of the role, which waits for a second person; until then the invited person only reads. */
  readonly approvalId: string | null
}

/**
 * Makes the link that the inviting person hands on; null when none is needed. Where mails are sent, only the mail has a link, so
 * that nobody can sign in as the person whom they invited.
 */
async function linkWithoutMail(deps: InviteDeps, { email, isPasswordSet }: InvitedPerson): Promise<string | null> {
  if (deps.isMailing || isPasswordSet) return null
  return makePasswordLink(deps, email, { hours: staffLinkHours, page: '/desk/set-password' })
}

/**
 * Invites a person to the staff. Where mails are sent, a mail tells the person, with a link to set a password if there is none
 * yet.
 *
 * @throws AccountError for an e-mail that cannot sign in, and for somebody who is staff already
 */
export async function inviteStaff(
  deps: InviteDeps,
  { email, role, person: inviter }: { readonly email: string; readonly role: StaffRole; readonly person: Person },
): Promise<StaffInvitation> {
  const invited = await inTransaction(deps.db, async (tx) => {
    const person = await addStaff(tx, { email, role, person: inviter, passwordHash: undefined })
    if (deps.isMailing) await queuePersonMail(tx, 'staff_invitation', person.email)
    return person
  })
  const { personId, email: known, granted } = invited
  const approvalId = granted.state === 'done' ? null : granted.approvalId
  return { personId, email: known, isMailed: deps.isMailing, setUpLink: await linkWithoutMail(deps, invited), approvalId }
}

/**
 * Sends the mail of an invitation again, with a new link. Where no mails are sent, only makes a new link.
 *
 * @throws AccountError when the person is not staff, or has a password already
 */
export async function inviteStaffAgain(deps: InviteDeps, { email, actor }: StaffChange): Promise<StaffInvitation> {
  const person = (await listStaff(deps.db)).find((each) => each.email === email)
  if (!person) throw new AccountError(`${email} is not one of the staff.`)
  if (person.hasPassword) throw new AccountError(`${email} has a password already and signs in with it.`)
  const { personId } = person
  await inTransaction(deps.db, async (tx) => {
    if (deps.isMailing) await queuePersonMail(tx, 'staff_invitation', email)
    await appendOperatorLog(tx, { actor, action: 'staff invite-again', subject: personId, details: { email } })
  })
  const setUpLink = await linkWithoutMail(deps, { personId, email, isPasswordSet: false })
  return { personId, email, isMailed: deps.isMailing, setUpLink, approvalId: null }
}
