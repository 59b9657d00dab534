import Type, { type Static } from 'typebox'
import { referenceLengthMax } from '../../orders/order-reference.ts'
import { plainTextPattern, printablePattern, realYearPattern } from '../../platform/http/document/patterns-in-words.ts'
import { Omissible, OneOf, sensitive, Uuid } from '../../platform/http/schemas.ts'

/** The regions of Ghana (contract, AFA register body). */
export const afaRegions = [
  'Greater Accra',
  'Ashanti',
  'Western',
  'Eastern',
  'Central',
  'Northern',
  'Volta',
  'Upper East',
  'Upper West',
  'Bono',
  'Bono East',
  'Ahafo',
  'Savannah',
  'North East',
  'Oti',
  'Western North',
] as const

const statuses = ['pending', 'processing', 'completed', 'cancelled'] as const

export type AfaStatus = (typeof statuses)[number]

export const AfaRegisterBody = Type.Object(
  {
    reference: Type.String({
      minLength: 3,
      maxLength: referenceLengthMax,
      pattern: printablePattern,
      description:
        'Your own name for this order, unique over all developers and for ever; 3 to 100 characters. A taken reference always answers 409.',
      examples: ['afa-2026-0001'],
    }),
    full_name: Type.String({ ...sensitive, pattern: plainTextPattern, maxLength: 100, examples: ['Ama Mensah'] }),
    phone: Type.String({ pattern: '^0[0-9]{9}$', description: '10 digits starting with 0.', examples: ['0241234567'] }),
    id_type: OneOf(['Ghana Card'], { description: 'Exactly `Ghana Card`.' }),
    id_number: Type.String({
      ...sensitive,
      pattern: '^GHA-[0-9]{9}-[0-9]$',
      description: '`GHA-`, nine digits, `-`, one digit.',
      examples: ['GHA-123456789-0'],
    }),
    date_of_birth: Type.String({
      ...sensitive,
      format: 'date',
      pattern: realYearPattern,
      description: 'YYYY-MM-DD. The applicant must be 18 or older on the day of the request in Accra.',
      examples: ['1990-05-17'],
    }),
    region: OneOf(afaRegions),
    location: Type.String({ ...sensitive, pattern: plainTextPattern, maxLength: 100, examples: ['Madina'] }),
    notes: Omissible(Type.String({ ...sensitive, maxLength: 500 })),
  },
  { title: 'AfaRegisterBody' },
)

export type AfaRegisterBody = Static<typeof AfaRegisterBody>

export const AfaRegistration = Type.Object(
  {
    order_id: Uuid(),
    reference: Type.String(),
    status: OneOf(statuses),
    new_balance: Type.Number({ description: 'The wallet after this registration, in GHS.' }),
  },
  { title: 'AfaRegistration' },
)

export const AfaOrder = Type.Object({ id: Uuid(), reference: Type.String(), status: OneOf(statuses) }, { title: 'AfaOrder' })

export const AfaOrderList = Type.Object({ orders: Type.Array(AfaOrder) }, { title: 'AfaOrderList' })

export const AfaReferenceParams = Type.Object({
  reference: Type.String({ description: 'The reference of the order, percent-encoded, or its id.' }),
})
