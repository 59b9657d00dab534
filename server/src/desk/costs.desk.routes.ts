import Type from 'typebox'
import { allCostSubjects } from '../all-cost-subjects.ts'
import {
  type CostedKey,
  costDecimals,
  costGhsMax,
  listCostHistory,
  listCosts,
  setUnitCost,
  type UnitCost,
} from '../orders/costs/unit-costs.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { Api } from '../platform/http/api.ts'
import { decimalsKeyword } from '../platform/http/describe-schema-error.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { AskedDay, Moment, Nullable } from '../platform/http/schemas.ts'

const tags = ['Reports']
const historyShown = 100

const Cost = Type.Object(
  {
    product: Type.String(),
    key: Type.String(),
    title: Type.String(),
    of: Type.String({ description: 'What the product is called.' }),
    unit: Type.String({ description: 'What is counted: `voucher`, `segment`.' }),
    takes_percent: Type.Boolean(),
    amount: Nullable(Type.Number({ description: 'GHS for each unit now; null: nobody has entered it.' })),
    percent: Nullable(Type.Number({ description: 'Of what is paid through a gateway, besides.' })),
    valid_from: Nullable(Moment()),
    entered_by: Nullable(Type.String()),
    note: Nullable(Type.String()),
  },
  { title: 'UnitCost' },
)
const Entered = Type.Object(
  {
    cost_no: Type.Integer(),
    product: Type.String(),
    key: Type.String(),
    amount: Type.Number({ description: 'GHS for each unit.' }),
    percent: Type.Number(),
    valid_from: Moment(),
    entered_at: Moment(),
    entered_by: Type.String(),
    note: Nullable(Type.String()),
  },
  { title: 'EnteredCost' },
)
const Costs = Type.Object(
  { costs: Type.Array(Cost), history: Type.Array(Entered, { description: 'The newest 100 entries, newest first.' }) },
  { title: 'UnitCosts' },
)

const CostBody = Type.Object(
  {
    product: Type.String({ maxLength: 100 }),
    key: Type.String({ maxLength: 200 }),
    amount: Type.Number({ minimum: 0, maximum: costGhsMax, [decimalsKeyword]: costDecimals }),
    percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100, [decimalsKeyword]: 4 })),
    from: Type.Optional(AskedDay({ description: 'The first day on which it counts; left out: now, of a batch its import.' })),
    note: Type.Optional(Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })),
  },
  { title: 'UnitCostBody' },
)

const viewCost = ({ key, title, subject, cost }: CostedKey) => ({
  product: subject.product,
  key,
  title,
  of: subject.title,
  unit: subject.unit,
  takes_percent: subject.takesPercent,
  amount: cost?.ghs ?? null,
  percent: cost?.percent ?? null,
  valid_from: cost?.valid_from.toISOString() ?? null,
  entered_by: cost?.actor ?? null,
  note: cost?.note ?? null,
})

const viewEntry = ({ cost_no, product, key, ghs: amount, percent, valid_from: from, created_at: at, actor, note }: UnitCost) => ({
  cost_no,
  product,
  key,
  amount,
  percent,
  note,
  valid_from: from.toISOString(),
  entered_at: at.toISOString(),
  entered_by: actor,
})

/** Registers the routes for the costs that no supplier reports, which reports need for the margin. */
export function registerCostDeskRoutes(desk: Api, { db }: { readonly db: Db }): void {
  desk.get(
    '/costs',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListCosts',
        tags,
        summary: 'What vouchers, registrations, SMS and gateways cost, where no supplier reports it',
        response: { 200: Envelope(Costs) },
      },
    },
    async () => {
      const [costs, history] = await Promise.all([listCosts(db, allCostSubjects), listCostHistory(db, historyShown)])
      return ok({ costs: costs.map(viewCost), history: history.map(viewEntry) })
    },
  )
  desk.post(
    '/costs',
    {
      config: { permission: 'manage_money', refusals: [400, 409] },
      schema: {
        operationId: 'deskSetCost',
        tags,
        summary: 'Enter what a unit costs from a day on; reports count the costs since then anew',
        body: CostBody,
        response: { 200: Envelope(Cost) },
      },
    },
    async ({ body: { product, key, amount: ghs, percent = 0, from, note }, staff: { actor } }) => {
      const entry = {
        product,
        key,
        ghs,
        percent,
        from: from === undefined ? undefined : new Date(`${from}T00:00:00Z`),
        note,
        actor,
      }
      return ok(viewCost(await inTransaction(db, (tx) => setUnitCost(tx, allCostSubjects, entry))))
    },
  )
}
