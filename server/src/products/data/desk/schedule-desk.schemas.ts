import Type from 'typebox'
import { AskedMoment, Moment, Nullable, Omissible, OneOf, Uuid } from '../../../platform/http/schemas.ts'
import { dataNetworks } from '../data.schemas.ts'
import { priceSetStates } from '../schedule/list-price-sets.ts'
import { belowCostField, PrintableText, packageEditFields, roleNames, seenField } from './packages-desk.schemas.ts'

const effectiveAt = AskedMoment({ description: 'A whole minute. Accra’s time is UTC.', examples: ['2027-01-31T06:00:00.000Z'] })

export const PriceSetPreviewBody = Type.Object(
  {
    ...packageEditFields,
    effective_at: effectiveAt,
    set_id: Omissible(Uuid({ description: 'The set that is changed; left out for a new one.' })),
  },
  { title: 'PriceSetPreviewBody' },
)

export const PriceSetBody = Type.Object(
  {
    ...packageEditFields,
    effective_at: effectiveAt,
    note: Omissible(PrintableText('What it is for; the reason, where prices are below a cost.')),
    is_below_cost_allowed: belowCostField,
    seen: seenField,
  },
  { title: 'PriceSetBody' },
)

export const PriceSetMade = Type.Object({ set_id: Uuid(), packages: Type.Integer() }, { title: 'PriceSetMade' })

export const PriceSetQuery = Type.Object({
  state: Type.Optional(OneOf(['open', 'ended', ...priceSetStates], { description: '`open`: waiting or held. Left out: all.' })),
  after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
})

const setFields = {
  set_id: Uuid(),
  effective_at: effectiveAt,
  state: OneOf(priceSetStates, { description: '`held`: its minute came and a person must decide.' }),
  note: Nullable(Type.String()),
  is_below_cost_allowed: Type.Boolean(),
  made_by: Type.String(),
  made_at: Moment(),
  held_because: Nullable(Type.String()),
  ended_at: Nullable(Moment({ description: 'When it was carried out or cancelled.' })),
  ended_by: Nullable(Type.String()),
  packages: Type.Integer(),
  prices: Type.Integer(),
  clashes: Type.Integer({ description: 'Prices that somebody changed since it was scheduled: it would be held for them.' }),
}

export const PriceSetList = Type.Object(
  { sets: Type.Array(Type.Object(setFields, { title: 'PriceSet' })), next: Nullable(Uuid()) },
  { title: 'PriceSetList' },
)

export const PriceSetView = Type.Object(
  {
    ...setFields,
    seen: Type.String({
      description: 'Names these prices and those that they replace. Whoever carries the set out sends it back.',
    }),
    lines: Type.Array(
      Type.Object(
        {
          package_id: Uuid(),
          network: OneOf(dataNetworks),
          volume_gb: Type.Number(),
          size: Type.String(),
          role: OneOf(roleNames),
          before: Type.Number({ description: 'What it is expected to be at that minute, in GHS.' }),
          after: Type.Number(),
          replaces: Nullable(
            Type.Number({ description: 'The price that it will replace, as far as known; null once the set has ended.' }),
          ),
          is_clash: Type.Boolean(),
        },
        { title: 'ScheduledPrice' },
      ),
    ),
  },
  { title: 'PriceSetView' },
)

export const PriceSetPath = Type.Object({ set_id: Uuid() })

export const CancelBody = Type.Object(
  { reason: Omissible(PrintableText('Why; it stays in the audit log.')) },
  { title: 'CancelPriceSet' },
)

export const CarryOutBody = Type.Object(
  {
    seen: Type.String({ maxLength: 64, description: 'As the set gave it: refused once another price would be replaced.' }),
    is_below_cost_allowed: belowCostField,
    reason: PrintableText('Why; it stays in the audit log.'),
  },
  { title: 'CarryOutPriceSet' },
)

export const PriceSetEnded = Type.Object({ is_done: Type.Literal(true) }, { title: 'PriceSetEnded' })
