import Type from 'typebox'
import { Moment, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Email, GivenPassword, LinkToken } from '../people.schemas.ts'

const MemberRoleName = OneOf(['owner', 'buyer', 'viewer'], {
  description: '`owner`: everything. `buyer`: buys, sends SMS and tops up. `viewer`: looks.',
})

export const Team = Type.Object(
  {
    members: Type.Array(
      Type.Object({
        person_id: Uuid(),
        name: Type.String(),
        email: Type.String(),
        role: MemberRoleName,
        has_two_factor: Type.Boolean(),
        is_you: Type.Boolean({ description: 'Whether it is the person who asks.' }),
      }),
    ),
    invitations: Type.Array(
      Type.Object({ invitation_id: Uuid(), email: Type.String(), role: MemberRoleName, expires_at: Moment() }),
    ),
  },
  { title: 'Team' },
)

export const InviteBody = Type.Object({ email: Email, role: MemberRoleName })
export const MemberPath = Type.Object({ person_id: Uuid({ description: 'As the team lists it.' }) })
export const InvitationPath = Type.Object({ invitation_id: Uuid({ description: 'As the team lists it.' }) })
export const MemberRoleBody = Type.Object({ role: MemberRoleName })
export const JoinBody = Type.Object({ token: LinkToken, password: GivenPassword })
