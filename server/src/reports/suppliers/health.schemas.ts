import Type from 'typebox'
import { Moment, Nullable } from '../../platform/http/schemas.ts'

const Milliseconds = (description: string) =>
  Nullable(Type.Integer({ description: `${description}, in milliseconds; null: nothing to tell.` }))

const figures = {
  attempts: Type.Integer(),
  delivered: Type.Integer(),
  failed: Type.Integer({ description: 'What the supplier did not do, though the order and the number were right.' }),
  success: Nullable(Type.Number({ description: 'The part of delivered and failed that was delivered, 0 to 1.' })),
  answer_p50: Milliseconds('The median time to the answer'),
  answer_p95: Milliseconds('The time within which 19 of 20 were answered'),
  delivery_p50: Milliseconds('The median time to the delivery'),
  delivery_p95: Milliseconds('The time within which 19 of 20 deliveries came'),
}

export const HealthQuery = Type.Object({
  hours: Type.Integer({ minimum: 1, maximum: 168, default: 24 }),
  supplier: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
})

export const SupplierHealthList = Type.Object(
  {
    from: Moment({ description: 'The first hour.' }),
    counted_at: Nullable(Moment({ description: 'How far the figures go; null: the worker has not counted for two hours.' })),
    suppliers: Type.Array(
      Type.Object({
        supplier: Type.String(),
        ...figures,
        outcomes: Type.Array(
          Type.Object({
            outcome: Type.String({ description: 'What the attempts came to; empty: nothing was heard yet.' }),
            attempts: Type.Integer(),
          }),
        ),
        by_hour: Type.Array(Type.Object({ hour: Moment(), ...figures }), {
          description: 'Hours without an attempt are left out.',
        }),
      }),
    ),
    floats: Type.Array(
      Type.Object({
        supplier: Type.String(),
        float: Nullable(Type.Number({ description: 'GHS.' })),
        read_at: Nullable(Moment()),
        per_hour: Nullable(
          Type.Number({
            description: 'GHS that its orders cost in an hour, on average over the last day; null: no hour of it is counted yet.',
          }),
        ),
        hours_left: Nullable(Type.Number({ description: 'At that pace; null: nothing was bought, or the float is not known.' })),
        is_low: Type.Boolean(),
      }),
    ),
  },
  { title: 'SupplierHealthList' },
)
