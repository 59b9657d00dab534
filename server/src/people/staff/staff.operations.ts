import Type from 'typebox'
import { AccountError } from '../../accounts/account.ts'
import { describeLoosening, GuardedChange, viewLooseningResult } from '../../guards/loosening.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import { GivenReason, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { NeededAtDesk, Timestamp, WithHelp } from '../../platform/operations/fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { Accepted, Email, EndedSessions } from '../people.schemas.ts'
import { staffRoles } from '../permissions/staff-permissions.ts'
import { changeStaffRole } from './grant-role.ts'
import { endStaffSessions, findStaffEmail, listStaff, removeStaff } from './manage-staff.ts'
import { findPersonRoles, resetSecondFactor } from './reset-second-factor.ts'
import { describePersons, PersonIdByEmail, PrintedPerson, replaceEmailById } from './typed-person.ts'

export const personNotFound = refuse(404, 'person_not_found', 'There is no such person.')

export async function readStaffEmail(db: Db, id: string): Promise<string> {
  const email = await findStaffEmail(db, id)
  if (email === undefined) throw new RefusalError(personNotFound)
  return email
}

export const StaffRoleName = OneOf(staffRoles)
export const StaffId = Uuid({ description: 'As the list of staff gives it.' })
const personId = PersonIdByEmail(StaffId)

const StaffList = Type.Object(
  {
    staff: Type.Array(
      Type.Object({
        personId: Uuid(),
        name: Type.String(),
        email: Type.String(),
        role: StaffRoleName,
        hasTwoFactor: Type.Boolean(),
        passkeys: Type.Integer({ description: 'How many serve in place of codes.' }),
        isInvited: Type.Boolean({ description: 'Whether the person has not chosen a password yet.' }),
        isLastOwner: Type.Boolean({ description: 'Whether the person can be neither removed nor given another role.' }),
        isYou: Type.Boolean({ description: 'Whether it is the person who asks.' }),
        createdAt: Timestamp(),
        sessions: Type.Integer({ description: 'Open ones.' }),
        lastUsedAt: Nullable(Timestamp({ description: 'The last use of an open session, to within five minutes.' })),
      }),
    ),
  },
  { title: 'StaffList' },
)

export const changingStaff = {
  tag: 'Staff',
  permission: 'manage_staff',
  isConfirmationNeeded: true,
  refusals: [404, 409],
} as const

export const staffOperations = [
  operation({
    command: 'staff list',
    example: 'makola staff list',
    route: 'GET /staff',
    operationId: 'deskListStaff',
    tag: 'Staff',
    permission: 'see_log',
    summary: 'Who works at the desk, oldest first',
    input: Type.Object({}),
    output: StaffList,
    async act({ db }, { person }) {
      const staff = await listStaff(db)
      const owners = staff.filter(({ role }) => role === 'owner')
      return {
        staff: staff.map((each) => ({
          ...each,
          isInvited: !each.hasPassword,
          isLastOwner: each.role === 'owner' && owners.length === 1,
          isYou: each.personId === person.personId,
        })),
      }
    },
    printed: Type.Array(PrintedPerson),
    print: (_deps, { staff }) => Promise.resolve(staff),
    text: (staff) => describePersons(staff) || 'There are no staff yet.',
  }),
  operation({
    ...changingStaff,
    command: 'staff set-role',
    example: 'makola staff set-role --email kofi@example.com --role finance',
    by: 'optional',
    route: 'POST /staff/:person_id/role',
    operationId: 'deskSetStaffRole',
    summary: 'Give somebody of the staff another role; the last owner stays owner',
    description: 'What adds rights is proposed, and a second person confirms it; what takes some away is done at once.',
    input: Type.Object({ personId, role: StaffRoleName }),
    output: GuardedChange,
    find: replaceEmailById,
    async act({ db }, { person }, { personId: id, role }) {
      const email = await readStaffEmail(db, id)
      const changed = await inTransaction(db, (tx) => changeStaffRole(tx, { email, role, person }))
      return { ...viewLooseningResult(changed), personId: id, email }
    },
    printed: Type.Object({
      personId: Uuid(),
      email: Type.String(),
      role: Type.Optional(StaffRoleName),
      approvalId: Type.Optional(Uuid()),
      status: Type.Optional(OneOf(['pending'])),
    }),
    async print(_deps, { personId: id, email, approvalId }, { role }) {
      const person = { personId: id, email }
      return approvalId === null ? { ...person, role } : { ...person, approvalId, status: 'pending' as const }
    },
    text: (changed) => ('role' in changed ? `${changed.email} is ${changed.role} now.` : describeLoosening(changed.approvalId)),
  }),
  operation({
    ...changingStaff,
    command: 'staff remove',
    example: 'makola staff remove --email ama@example.com',
    route: 'POST /staff/:person_id/remove',
    operationId: 'deskRemoveStaff',
    summary: 'Take somebody off the staff; the last owner stays',
    input: Type.Object({ personId, reason: NeededAtDesk(GivenReason) }),
    output: Accepted,
    find: replaceEmailById,
    async act({ db }, { actor }, { personId: id, reason }) {
      const email = await readStaffEmail(db, id)
      return { ...(await inTransaction(db, (tx) => removeStaff(tx, { email, reason, actor }))), accepted: true as const }
    },
    printed: Type.Object({ personId: Uuid(), email: Type.String() }),
    text: ({ email }) => `${email} is not one of the staff any more.`,
  }),
  operation({
    ...changingStaff,
    command: 'staff end-sessions',
    route: 'POST /staff/:person_id/sessions/end',
    operationId: 'deskEndStaffSessions',
    summary: 'End every session of somebody of the staff',
    input: Type.Object({ personId }),
    output: EndedSessions,
    find: replaceEmailById,
    async act({ db }, { actor }, { personId: id }) {
      const email = await readStaffEmail(db, id)
      return inTransaction(db, (tx) => endStaffSessions(tx, { email, actor }))
    },
    printed: Type.Object({ personId: Uuid(), email: Type.String(), ended: Type.Integer() }),
    text: ({ email, ended }) => `${ended} sessions of ${email} were ended.`,
  }),
  operation({
    ...changingStaff,
    command: 'staff reset-second-factor',
    example:
      'makola staff reset-second-factor --email kofi@example.com --reason "lost the phone, called from the number we know"',
    route: 'POST /persons/reset-second-factor',
    operationId: 'deskResetSecondFactor',
    summary: 'Take a lost second factor away, of one of the staff',
    description: 'The person’s sessions end, the password stays, and a mail tells the person.',
    input: Type.Object({ email: Email, reason: WithHelp('why, and how you know who asks', GivenReason) }),
    output: Accepted,
    async act({ db }, { actor, person }, { email, reason }) {
      const found = await findPersonRoles(db, email)
      if (!found) throw new RefusalError(personNotFound)
      if (found.staffRole === null) {
        throw new AccountError(`${found.email} is not one of the staff: take it away at the person’s account.`, {
          command: 'makola member reset-second-factor',
        })
      }
      if (found.personId === person.personId) {
        throw new AccountError('Your own second factor you switch off yourself, with your password, on your own page.')
      }
      await inTransaction(db, (tx) => resetSecondFactor(tx, { email, reason, actor }))
      return { ...found, accepted: true as const }
    },
    printed: Type.Object({ personId: Uuid(), email: Type.String(), hasTwoFactor: Type.Literal(false) }),
    text: ({ email }) => `${email} signs in with the password alone next time, and gets a mail about it.`,
  }),
]
