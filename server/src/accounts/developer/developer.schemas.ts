import Type from 'typebox'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { countedCallsMax } from '../request-log/with-calls-today.ts'
import { allowedAddressesMax } from './set-key-addresses.ts'

export const keyTypes = ['standard', 'commission', 'sms'] as const

export const NewKeyBody = Type.Object({ type: OneOf(keyTypes) })
export const KeyPath = Type.Object({ keyId: Uuid({ description: 'As the list of keys gives it.' }) })
export const KeyAddressesBody = Type.Object({
  addresses: Type.Array(Type.String({ minLength: 2, maxLength: 60 }), {
    maxItems: allowedAddressesMax,
    description: 'Addresses or networks in CIDR notation, IPv4 or IPv6; none: from everywhere.',
  }),
})
export const PolicyAcceptanceBody = Type.Object({
  version: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'The version that was read.' }),
})

/** The number of a key's calls today. Null: the request log does not keep these calls. */
export const callsTodayFields = {
  callsToday: Nullable(Type.Integer({ maximum: countedCallsMax, description: 'Calls today; the maximum: so many or more.' })),
  refusedToday: Nullable(Type.Integer({ maximum: countedCallsMax, description: 'Calls today that were refused; likewise.' })),
}

const LiveKey = Type.Object({
  keyId: Uuid(),
  status: OneOf(['pending', 'active'], { description: '`pending`: the operator must approve it.' }),
  prefix: Type.String({ description: 'What stands before the secret.' }),
  hint: Type.String({ description: 'The last four characters.' }),
  createdAt: Timestamp(),
  endsAt: Nullable(Timestamp({ description: 'When it ends, because another key takes its place.' })),
  lastUsedAt: Nullable(Timestamp()),
  lastUsedAddress: Nullable(Type.String()),
  addresses: Type.Array(Type.String(), { description: 'From where it may be used; none: from everywhere.' }),
  ...callsTodayFields,
})

export const DeveloperKeys = Type.Object(
  {
    apiUrl: Type.String({ description: 'Where the API is.' }),
    yourAddress: Type.String({ description: 'From where this request came.' }),
    keys: Type.Array(
      Type.Object({
        type: OneOf(keyTypes),
        prefix: Type.String({ description: 'What the next key of this type begins with.' }),
        obstacle: Nullable(
          Type.String({ description: 'Why no key of this type can be made now, as `X-Error-Reason` has it; null: one can.' }),
        ),
        obstacleMessage: Nullable(Type.String()),
        key: Type.Union([LiveKey, Type.Null()]),
        oldKey: Type.Union([LiveKey, Type.Null()], { description: 'The key that works on for some days beside its successor.' }),
      }),
    ),
  },
  { title: 'DeveloperKeys' },
)

export const MadeKey = Type.Object(
  {
    keyId: Uuid(),
    key: Type.String({ description: 'The key itself. It is never shown again.' }),
    status: OneOf(['pending', 'active']),
  },
  { title: 'MadeKey' },
)

export const RevokedKey = Type.Object({ keyId: Uuid(), status: Type.Literal('revoked') }, { title: 'RevokedKey' })

export const KeyAddresses = Type.Object(
  { keyId: Uuid(), addresses: Type.Array(Type.String()), isYoursAllowed: Type.Boolean() },
  { title: 'KeyAddresses' },
)

export const Policy = Type.Object(
  {
    version: Type.Integer(),
    inForceFrom: Type.String({ examples: ['21 November 2026'] }),
    parts: Type.Array(
      Type.Object({
        heading: Nullable(Type.String()),
        texts: Type.Array(Type.String()),
        rules: Type.Array(Type.String()),
      }),
    ),
    acceptedVersion: Nullable(Type.Integer({ description: 'The newest version that the account accepted.' })),
    acceptedAt: Nullable(Timestamp()),
  },
  { title: 'DeveloperPolicy' },
)
