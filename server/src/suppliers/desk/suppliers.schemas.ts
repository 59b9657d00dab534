import Type from 'typebox'
import { GuardedChange } from '../../guards/loosening.ts'
import { decimalsKeyword } from '../../platform/http/describe-schema-error.ts'
import { plainTextPattern } from '../../platform/http/document/patterns-in-words.ts'
import { AskedMoment, Moment, Nullable, OneOf, sensitive, Uuid } from '../../platform/http/schemas.ts'

/** A supplier's name, for routes and addresses. */
const nameOf = (description: string) => Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$', description })

/** Older names may be longer than new ones may be, so a look-up accepts up to 100 characters. */
const anyName = Type.String({ minLength: 1, maxLength: 100 })

export const SupplierPath = Type.Object({ supplier: anyName })

export const Reason = Type.String({
  minLength: 3,
  maxLength: 500,
  pattern: '\\S',
  description: 'Why, for the operator’s log.',
})

/** Values of a supplier that are not secret. */
const changeable = {
  enabled: Type.Boolean({ description: 'A disabled supplier is sent nothing new; what it has is still asked about.' }),
  base_url: Type.String({ minLength: 1, maxLength: 500, description: 'Where its API is.' }),
  slots: Type.Integer({ minimum: 1, maximum: 1_000, description: 'Calls in flight at most; of an SMPP link its window.' }),
  requests_per_second: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 10_000,
    description: 'Calls started per second at most; null: no limit.',
  }),
  settings: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'All settings of its adapter; one that is left out goes back to its default.',
  }),
}

export const SupplierChangeBody = Type.Object(
  { ...Type.Partial(Type.Object(changeable)).properties, reason: Reason },
  { additionalProperties: false },
)

export const SupplierBody = Type.Object(
  {
    supplier: nameOf('Its name, in routes and in this list.'),
    adapter: Type.String({ description: 'The format that it speaks.' }),
    base_url: Type.Optional(changeable.base_url),
    reason: Reason,
  },
  { additionalProperties: false },
)

export const CredentialsBody = Type.Object(
  {
    credentials: Type.Record(Type.String({ maxLength: 60 }), Type.String({ minLength: 1, maxLength: 4_000, ...sensitive }), {
      description: 'Those to be set, by their names. The others stay as they are. No answer ever has one.',
      minProperties: 1,
      maxProperties: 20,
      ...sensitive,
    }),
    reason: Reason,
  },
  { additionalProperties: false },
)

export const DeskSupplier = Type.Object(
  {
    supplier: Type.String(),
    adapter: Type.String(),
    role: OneOf(['orders', 'sms', 'registration'], { description: 'What it does for us.' }),
    is_enabled: Type.Boolean(),
    is_usable: Type.Boolean({ description: 'Whether it can be called as it is configured.' }),
    is_simulated: Type.Boolean({ description: 'Whether the simulator stands in for it, whatever is configured here.' }),
    base_url: Nullable(Type.String()),
    proposal: Nullable(
      Uuid({ description: 'The proposal of other credentials or of another host, which waits for a second person.' }),
    ),
    slots: Type.Integer(),
    requests_per_second: Nullable(Type.Integer()),
    settings: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    credentials: Type.Array(
      Type.Object({
        name: Type.String(),
        is_set: Type.Boolean(),
        set_at: Nullable(Moment()),
      }),
    ),
    float: Nullable(Type.Number({ description: 'GHS, as it was last read.' })),
    float_read_at: Nullable(Moment()),
    least_float: Nullable(Type.Number({ description: 'GHS. Below this the float counts as empty.' })),
    open_routes: Type.Integer(),
    paused_routes: Type.Integer(),
  },
  { title: 'DeskSupplier' },
)

export const DeskSupplierList = Type.Object(
  {
    suppliers: Type.Array(DeskSupplier),
    adapters: Type.Array(
      Type.Object({ adapter: Type.String(), credentials: Type.Array(Type.String()), usual_base_url: Nullable(Type.String()) }),
      { description: 'The formats that a supplier may speak.' },
    ),
  },
  { title: 'DeskSupplierList' },
)

export const SupplierTestView = Type.Object(
  {
    asked: OneOf(['float', 'registration']),
    result: OneOf(['good', 'refused', 'silent']),
    said: Type.String(),
    milliseconds: Type.Integer(),
  },
  { title: 'SupplierTestView' },
)

export const FloatQuery = Type.Object({ days: Type.Integer({ minimum: 1, maximum: 31, default: 7 }) })

export const FloatHistory = Type.Object(
  {
    reads: Type.Array(Type.Object({ at: Moment(), float: Type.Number({ description: 'GHS.' }) })),
    movements: Type.Array(
      Type.Object({
        movement_id: Uuid(),
        at: Moment(),
        amount: Type.Number({ description: 'GHS: above 0 was put in, below 0 was taken out.' }),
        note: Type.String(),
        noted_by: Type.String(),
      }),
    ),
  },
  { title: 'FloatHistory' },
)

export const FloatMovementBody = Type.Object(
  {
    reference: Uuid({ description: 'Made by the page: the same one notes the same movement once.' }),
    amount: Type.Number({
      minimum: -1_000_000_000,
      maximum: 1_000_000_000,
      [decimalsKeyword]: 2,
      description: 'GHS: above 0 was put in, below 0 was taken out.',
    }),
    note: Type.String({
      minLength: 3,
      maxLength: 300,
      pattern: plainTextPattern,
      description: 'How: a transfer’s number, a fee.',
    }),
    moved_at: Type.Optional(AskedMoment({ description: 'Left out: now.' })),
  },
  { additionalProperties: false },
)

export const FloatMovementNoted = Type.Object(
  { ...GuardedChange.properties, movement_id: Uuid(), amount: Type.Number(), moved_at: Moment() },
  { title: 'FloatMovementNoted' },
)
