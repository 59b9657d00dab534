import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import { Nullable } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { floatWarningGhs, floatWarningHours } from '../reports.settings.ts'
import { listLowFloats, readFloatPace } from './read-float-pace.ts'
import { readSupplierHealth } from './read-supplier-health.ts'

const Milliseconds = (description: string) =>
  Nullable(Type.Integer({ description: `${description}, in milliseconds; null: nothing to tell.` }))

const figures = {
  attempts: Type.Integer(),
  delivered: Type.Integer(),
  failed: Type.Integer({ description: 'What the supplier did not do, though the order and the number were right.' }),
  success: Nullable(Type.Number({ description: 'The part of delivered and failed that was delivered, 0 to 1.' })),
  answerP50: Milliseconds('The median time to the answer'),
  answerP95: Milliseconds('The time within which 19 of 20 were answered'),
  deliveryP50: Milliseconds('The median time to the delivery'),
  deliveryP95: Milliseconds('The time within which 19 of 20 deliveries came'),
}

const SupplierHealthList = Type.Object(
  {
    from: Timestamp({ description: 'The first hour.' }),
    countedAt: Nullable(Timestamp({ description: 'How far the figures go; null: the worker has not counted for two hours.' })),
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
        byHour: Type.Array(Type.Object({ hour: Timestamp(), ...figures }), {
          description: 'Hours without an attempt are left out.',
        }),
      }),
    ),
    floats: Type.Array(
      Type.Object({
        supplier: Type.String(),
        floatPesewas: Nullable(Ghs({ description: 'GHS.' })),
        readAt: Nullable(Timestamp()),
        perHourPesewas: Nullable(
          Ghs({
            description: 'GHS that its orders cost in an hour, on average over the last day; null: no hour of it is counted yet.',
          }),
        ),
        hoursLeft: Nullable(Type.Number({ description: 'At that pace; null: nothing was bought, or the float is not known.' })),
        isLow: Type.Boolean(),
      }),
    ),
  },
  { title: 'SupplierHealthList' },
)

export const healthOperations = (settings: Settings) => [
  operation({
    route: 'GET /suppliers/health',
    operationId: 'deskReadSupplierHealth',
    tag: 'Suppliers',
    permission: 'see',
    summary: 'How suppliers did, hour by hour, and how long our floats last',
    input: Type.Object({
      hours: Type.Integer({ minimum: 1, maximum: 168, default: 24 }),
      supplier: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    }),
    output: SupplierHealthList,
    async act({ db }, _actor, asked) {
      const [warningHours, warningGhs] = await Promise.all([settings.read(floatWarningHours), settings.read(floatWarningGhs)])
      const [health, paces, low] = await Promise.all([
        readSupplierHealth(db, asked),
        readFloatPace(db),
        listLowFloats(db, { warningHours, warningGhs }),
      ])
      const lowNames = new Set(low.map(({ supplier }) => supplier))
      return { ...health, floats: paces.map((pace) => ({ ...pace, isLow: lowNames.has(pace.supplier) })) }
    },
  }),
]
