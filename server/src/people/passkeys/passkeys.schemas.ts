import Type from 'typebox'
import { Nullable, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'

export const PasskeyOptions = Type.Object(
  { options: Type.String({ description: 'For the browser’s WebAuthn functions, as JSON. Counts for five minutes, once.' }) },
  { title: 'PasskeyOptions' },
)

/** An answer with one of the usual keys has less than 2 KB. */
export const MadePasskey = Type.String({
  minLength: 1,
  maxLength: 6_000,
  description: 'What the browser made with the options, as JSON: `credential.toJSON()`.',
})

export const NewPasskeyBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 60, description: 'How the person tells it from others.' }),
  passkey: MadePasskey,
})

export const PasskeyPath = Type.Object({ passkeyId: Uuid({ description: 'As the list of passkeys gives it.' }) })

export const PasskeyList = Type.Object(
  {
    passkeys: Type.Array(
      Type.Object({
        passkeyId: Uuid(),
        name: Type.String(),
        createdAt: Timestamp(),
        lastUsedAt: Nullable(Timestamp({ description: 'Null: not used yet.' })),
      }),
    ),
  },
  { title: 'PasskeyList' },
)
