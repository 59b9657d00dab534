import Type from 'typebox'
import { OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { Email, GivenPassword, LinkToken } from '../people.schemas.ts'

const MemberRoleName = OneOf(['owner', 'buyer', 'viewer'], {
  description: '`owner`: everything. `buyer`: buys, sends SMS and tops up. `viewer`: looks.',
})

export const Team = Type.Object(
  {
    members: Type.Array(
      Type.Object({
        personId: Uuid(),
        name: Type.String(),
        email: Type.String(),
        role: MemberRoleName,
        hasTwoFactor: Type.Boolean(),
        isYou: Type.Boolean({ description: 'Whether it is the person who asks.' }),
      }),
    ),
    invitations: Type.Array(
      Type.Object({ invitationId: Uuid(), email: Type.String(), role: MemberRoleName, expiresAt: Timestamp() }),
    ),
  },
  { title: 'Team' },
)

export const InviteBody = Type.Object({ email: Email, role: MemberRoleName })
export const MemberPath = Type.Object({ personId: Uuid({ description: 'As the team lists it.' }) })
export const InvitationPath = Type.Object({ invitationId: Uuid({ description: 'As the team lists it.' }) })
export const MemberRoleBody = Type.Object({ role: MemberRoleName })
export const ShownInvitation = Type.Object(
  {
    accountName: Type.String({ description: 'The team that the link is from.' }),
    role: MemberRoleName,
    hasPassword: Type.Boolean({ description: 'Whether the reader has a password already and must give it.' }),
  },
  { title: 'ShownInvitation' },
)
export const ShowInvitationBody = Type.Object({ token: LinkToken })
export const JoinBody = Type.Object({ token: LinkToken, password: GivenPassword })
