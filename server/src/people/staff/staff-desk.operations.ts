import Type from 'typebox'
import { RefusalError } from '../../platform/http/refusals.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { Email } from '../people.schemas.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { approvalPermissions } from '../permissions/approval-permissions.ts'
import { memberRoles } from '../permissions/member-permissions.ts'
import { type StaffPermission, staffPermissions, staffRoles } from '../permissions/staff-permissions.ts'
import { listSessions } from '../sessions.ts'
import { countInvitation } from '../throttle.ts'
import { inviteStaff, inviteStaffAgain } from './invite-staff.ts'
import { findPersonRoles } from './reset-second-factor.ts'
import { changingStaff, personNotFound, readStaffEmail, StaffId, StaffRoleName } from './staff.operations.ts'

const InvitedStaff = Type.Object(
  {
    personId: Uuid(),
    email: Type.String(),
    isMailed: Type.Boolean({ description: 'Whether a mail says what to do next.' }),
    setUpLink: Nullable(
      Type.String({
        description: 'Where no mail leaves this installation: the link to set a password, to be handed on. Works three days.',
      }),
    ),
    approvalId: Nullable(
      Uuid({ description: 'The proposal of the role, which a second person confirms. Until then the person only looks.' }),
    ),
  },
  { title: 'InvitedStaff' },
)

/** Staff are invited from the desk alone. */
const invitations = (people: PeopleDeps) => [
  operation({
    ...changingStaff,
    route: 'POST /staff',
    operationId: 'deskInviteStaff',
    refusals: [409, 429],
    summary: 'Let somebody in at the desk; a mail brings the link to set a password',
    input: Type.Object({ email: Email, role: StaffRoleName }),
    output: InvitedStaff,
    async act(_deps, who, invited) {
      await countInvitation(people.throttle, who)
      return inviteStaff(people, { ...invited, person: who.person })
    },
  }),
  operation({
    ...changingStaff,
    route: 'POST /staff/:person_id/invitation',
    operationId: 'deskInviteStaffAgain',
    refusals: [404, 409, 429],
    summary: 'Send the mail of an invitation once more',
    input: Type.Object({ personId: StaffId }),
    output: InvitedStaff,
    async act({ db }, who, { personId: id }) {
      await countInvitation(people.throttle, who)
      return inviteStaffAgain(people, { email: await readStaffEmail(db, id), actor: who.actor })
    },
  }),
]

const staffReadOperations = [
  operation({
    route: 'GET /staff/permissions',
    operationId: 'deskListPermissions',
    tag: 'Staff',
    permission: 'see',
    summary: 'Who may do what at the desk',
    input: Type.Object({}),
    output: Type.Object(
      {
        roles: Type.Array(StaffRoleName),
        permissions: Type.Array(
          Type.Object({
            permission: Type.String(),
            roles: Type.Array(StaffRoleName),
            approvals: Type.Array(Type.String(), {
              description: 'What takes two people and is decided with it, as kinds of approvals.',
            }),
          }),
        ),
      },
      { title: 'PermissionTable' },
    ),
    async act() {
      const names = Object.keys(staffPermissions) as StaffPermission[]
      const permissions = names.map((permission) => ({
        permission,
        roles: staffPermissions[permission],
        approvals: Object.keys(approvalPermissions).filter((kind) => approvalPermissions[kind] === permission),
      }))
      return { roles: staffRoles, permissions }
    },
  }),
  operation({
    route: 'GET /staff/:person_id/sessions',
    operationId: 'deskListStaffSessions',
    tag: 'Staff',
    permission: 'manage_staff',
    refusals: [404],
    summary: 'Where somebody of the staff is signed in',
    input: Type.Object({ personId: StaffId }),
    output: Type.Object(
      {
        sessions: Type.Array(
          Type.Object({
            sessionId: Uuid(),
            address: Nullable(Type.String()),
            userAgent: Nullable(Type.String()),
            createdAt: Timestamp(),
            lastUsedAt: Timestamp(),
          }),
        ),
      },
      { title: 'StaffSessions' },
    ),
    async act({ db }, _actor, asked) {
      await readStaffEmail(db, asked.personId)
      return { sessions: await listSessions(db, asked) }
    },
  }),
  operation({
    route: 'GET /persons',
    operationId: 'deskFindPerson',
    tag: 'Staff',
    permission: 'manage_staff',
    refusals: [404],
    summary: 'Who signs in with an e-mail: one of the staff, or a reseller’s person',
    input: Type.Object({ email: Email }),
    output: Type.Object(
      {
        personId: Uuid(),
        name: Type.String(),
        email: Type.String(),
        hasTwoFactor: Type.Boolean(),
        staffRole: Type.Union([StaffRoleName, Type.Null()]),
        member: Type.Union([
          Type.Object({ accountId: Uuid(), accountName: Type.String(), role: OneOf(memberRoles) }),
          Type.Null(),
        ]),
        isYou: Type.Boolean(),
      },
      { title: 'FoundPerson' },
    ),
    async act({ db }, { person }, { email }) {
      const found = await findPersonRoles(db, email)
      if (!found) throw new RefusalError(personNotFound)
      return { ...found, isYou: found.personId === person.personId }
    },
  }),
]

export const staffDeskOperations = (people: PeopleDeps) => [...staffReadOperations, ...invitations(people)]
