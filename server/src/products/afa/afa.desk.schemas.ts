import Type from 'typebox'
import { printablePattern } from '../../platform/http/document/patterns-in-words.ts'
import { Moment, Nullable, Omissible, OneOf, sensitive, Uuid } from '../../platform/http/schemas.ts'

/** Data of an applicant, for the member of the staff who registers the person. */
const identityFields = {
  full_name: Type.String(sensitive),
  phone: Type.String(),
  id_type: Type.String(),
  id_number: Type.String(sensitive),
  date_of_birth: Type.String(sensitive),
  region: Type.String(),
  location: Type.String(sensitive),
  notes: Nullable(Type.String(sensitive)),
}

export const AfaIdentityView = Type.Object(identityFields, { title: 'AfaIdentity' })

export const AfaQueueEntry = Type.Object(
  {
    order_id: Uuid(),
    reference: Type.String(),
    account_id: Uuid(),
    account_name: Type.String(),
    status: OneOf(['pending', 'processing', 'completed', 'cancelled']),
    fee: Type.Number({ description: 'What was paid for it, in GHS.' }),
    created_at: Moment(),
    moved_at: Moment({ description: 'When it was claimed or ended.' }),
    claimed_by: Nullable(Type.String()),
    is_mine: Type.Boolean({ description: 'Whether the person who asks works on it.' }),
    identity: Type.Union([AfaIdentityView, Type.Null()], {
      description: 'The number of the card and the date of birth are masked. Null when it was deleted or cannot be read.',
    }),
    is_unreadable: Type.Boolean(),
  },
  { title: 'AfaQueueEntry' },
)

export const AfaQueue = Type.Object(
  {
    orders: Type.Array(AfaQueueEntry),
    next: Nullable(Uuid({ description: '`after` of the next page.' })),
    counts: Type.Object({
      waiting: Type.Integer(),
      oldest_waiting: Nullable(Moment()),
      mine: Type.Integer(),
      others: Type.Integer(),
      oldest_claimed: Nullable(Moment()),
    }),
    is_fee_refunded: Type.Boolean({ description: 'Whether the fee of a cancelled registration goes back now.' }),
  },
  { title: 'AfaQueue' },
)

export const AfaQueueQuery = Type.Object({
  state: OneOf(['open', 'waiting', 'mine', 'others', 'completed', 'cancelled', 'all'], { default: 'open' }),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  after: Type.Optional(Uuid()),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
})

const Reference = Type.String({ minLength: 1, maxLength: 100 })
const Words = (description: string) => Type.String({ minLength: 1, maxLength: 500, pattern: printablePattern, description })

export const ClaimAfaBody = Type.Object(
  {
    references: Omissible(Type.Array(Reference, { minItems: 1, maxItems: 100 })),
    next: Omissible(Type.Integer({ minimum: 1, maximum: 100, description: 'So many of those that wait longest.' })),
  },
  { title: 'ClaimAfaBody' },
)

export const AfaClaimed = Type.Object({ references: Type.Array(Type.String()) }, { title: 'AfaClaimed' })

export const CompleteAfaBody = Type.Object(
  { reference: Reference, receipt: Words('The number of the form or receipt that proves it; no data of the person.') },
  { title: 'CompleteAfaBody' },
)

export const ReasonAfaBody = Type.Object(
  { reference: Reference, reason: Words('Why, for the history and the log; no data of the person.') },
  { title: 'ReasonAfaBody' },
)

export const ExportAfaBody = Type.Object({ reason: Words('What the file is for, for the log.') }, { title: 'ExportAfaBody' })

export const AfaEnded = Type.Object(
  {
    reference: Type.String(),
    status: OneOf(['completed', 'cancelled', 'processing']),
    refund: Type.Number({ description: 'What went back to the wallet, in GHS.' }),
  },
  { title: 'AfaEnded' },
)
