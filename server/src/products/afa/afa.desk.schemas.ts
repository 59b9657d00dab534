import Type from 'typebox'
import { printablePattern } from '../../platform/http/document/patterns-in-words.ts'
import { Nullable, sensitive } from '../../platform/http/schemas.ts'

/** Data of an applicant, for the member of the staff who registers the person. */
export const AfaIdentityView = Type.Object(
  {
    full_name: Type.String(sensitive),
    phone: Type.String(),
    id_type: Type.String(),
    id_number: Type.String(sensitive),
    date_of_birth: Type.String(sensitive),
    region: Type.String(),
    location: Type.String(sensitive),
    notes: Nullable(Type.String(sensitive)),
  },
  { title: 'AfaIdentity' },
)

export const AfaReference = Type.String({ minLength: 1, maxLength: 100 })

export const AfaNote = (description: string) =>
  Type.String({ minLength: 1, maxLength: 500, pattern: printablePattern, description })

export const ReasonAfaBody = Type.Object(
  { reference: AfaReference, reason: AfaNote('Why, for the history and the log; no data of the person.') },
  { title: 'ReasonAfaBody' },
)
