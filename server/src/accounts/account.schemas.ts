import Type from 'typebox'
import { Moment, Nullable } from '../platform/http/schemas.ts'

/** `data` of GET /account/role (contract, Account role). */
export const AccountRoleData = Type.Object(
  {
    role: Type.String({ description: 'The role by name: customer, agent or dealer. It keeps its name after it has expired.' }),
    is_active: Type.Boolean({
      description: 'False from the moment `expires_at` passes; from then on every price is a customer’s.',
    }),
    is_permanent: Type.Boolean({ description: 'True for a lifetime role and for a plain customer.' }),
    expires_at: Nullable(Moment({ description: 'When the role ends; null when it does not.' })),
    days_remaining: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'Days until the role ends, rounded up; 0 once passed; null when it does not end.',
      }),
    ),
  },
  { title: 'AccountRole' },
)
