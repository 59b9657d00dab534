import Type from 'typebox'
import { GivenReason } from '../../platform/http/given-reason.ts'
import { Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Email } from '../people.schemas.ts'
import { staffRoles } from '../permissions/staff-permissions.ts'

const StaffRoleName = OneOf(staffRoles)

export const StaffPath = Type.Object({ person_id: Uuid({ description: 'As the list of staff gives it.' }) })
export const InviteStaffBody = Type.Object({ email: Email, role: StaffRoleName })
export const StaffRoleBody = Type.Object({ role: StaffRoleName })
export const PersonQuery = Type.Object({ email: Email })
export const ResetSecondFactorBody = Type.Object({ email: Email, reason: GivenReason })

export const StaffList = Type.Object(
  {
    staff: Type.Array(
      Type.Object({
        person_id: Uuid(),
        name: Type.String(),
        email: Type.String(),
        role: StaffRoleName,
        has_two_factor: Type.Boolean(),
        is_invited: Type.Boolean({ description: 'Whether the person has not chosen a password yet.' }),
        is_last_owner: Type.Boolean({ description: 'Whether the person can be neither removed nor given another role.' }),
        is_you: Type.Boolean({ description: 'Whether it is the person who asks.' }),
        created_at: Moment(),
        sessions: Type.Integer({ description: 'Open ones.' }),
        last_used_at: Nullable(Moment({ description: 'The last use of an open session, to within five minutes.' })),
      }),
    ),
  },
  { title: 'StaffList' },
)

export const InvitedStaff = Type.Object(
  {
    person_id: Uuid(),
    email: Type.String(),
    is_mailed: Type.Boolean({ description: 'Whether a mail says what to do next.' }),
    set_up_link: Nullable(
      Type.String({
        description: 'Where no mail leaves this installation: the link to set a password, to be handed on. Works three days.',
      }),
    ),
    approval_id: Nullable(
      Uuid({ description: 'The proposal of the role, which a second person confirms. Until then the person only looks.' }),
    ),
  },
  { title: 'InvitedStaff' },
)

export const PermissionTable = Type.Object(
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
)

export const StaffSessions = Type.Object(
  {
    sessions: Type.Array(
      Type.Object({
        session_id: Uuid(),
        address: Nullable(Type.String()),
        user_agent: Nullable(Type.String()),
        created_at: Moment(),
        last_used_at: Moment(),
      }),
    ),
  },
  { title: 'StaffSessions' },
)

export const FoundPerson = Type.Object(
  {
    person_id: Uuid(),
    name: Type.String(),
    email: Type.String(),
    has_two_factor: Type.Boolean(),
    staff_role: Type.Union([StaffRoleName, Type.Null()]),
    member: Type.Union([
      Type.Object({ account_id: Uuid(), account_name: Type.String(), role: OneOf(['owner', 'buyer', 'viewer']) }),
      Type.Null(),
    ]),
    is_you: Type.Boolean(),
  },
  { title: 'FoundPerson' },
)
