import Type from 'typebox'
import { GivenReason } from '../../platform/http/given-reason.ts'
import { Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { KeyAddressesBody, keyTypes } from '../developer/developer.schemas.ts'

export const DeskKeyQuery = Type.Object({
  status: Type.Optional(OneOf(['pending', 'active', 'revoked'])),
  type: Type.Optional(OneOf(keyTypes)),
  account: Type.Optional(Type.String({ minLength: 1, maxLength: 254, description: 'The account’s id or e-mail.' })),
  after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
})

export const RevokeKeyBody = Type.Object({ reason: GivenReason })
export const DeskKeyAddressesBody = KeyAddressesBody

export const DeskKey = Type.Object(
  {
    key_id: Uuid(),
    account_id: Uuid(),
    account_name: Type.String(),
    email: Type.String({ description: 'The account’s.' }),
    role: OneOf(['customer', 'agent', 'dealer'], { description: 'The account’s.' }),
    type: OneOf(keyTypes),
    status: OneOf(['pending', 'active', 'revoked']),
    prefix: Type.String({ description: 'What stands before the secret.' }),
    hint: Type.String({ description: 'The last four characters.' }),
    addresses: Type.Array(Type.String(), { description: 'From where it may be used; none: from everywhere.' }),
    created_at: Moment(),
    revoked_at: Nullable(Moment()),
    last_used_at: Nullable(Moment()),
    last_used_address: Nullable(Type.String()),
  },
  { title: 'DeskKey' },
)

export const DeskKeyPage = Type.Object({ keys: Type.Array(DeskKey), next: Nullable(Uuid()) }, { title: 'DeskKeyPage' })
