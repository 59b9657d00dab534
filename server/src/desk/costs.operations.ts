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
import { inTransaction } from '../platform/database/in-transaction.ts'
import { decimalsKeyword } from '../platform/http/describe-schema-error.ts'
import { Nullable } from '../platform/http/schemas.ts'
import { Day, NeededAtDesk, Timestamp, WithHelp, WithOptionName, WithWireName } from '../platform/operations/fields.ts'
import { operation } from '../platform/operations/operation.ts'
import { layOutTable } from '../platform/texts-for-people.ts'

const historyShown = 100
const historyMax = 10_000

const Cost = Type.Object(
  {
    product: Type.String(),
    key: Type.String(),
    title: Type.String(),
    of: Type.String({ description: 'What the product is called.' }),
    unit: Type.String({ description: 'What is counted: `voucher`, `segment`.' }),
    takesPercent: Type.Boolean(),
    ghs: WithWireName('amount', Nullable(Type.Number({ description: 'GHS for each unit now; null: nobody has entered it.' }))),
    percent: Nullable(Type.Number({ description: 'Of what is paid through a gateway, besides.' })),
    validFrom: Nullable(Timestamp()),
    actor: WithWireName('entered_by', Nullable(Type.String())),
    note: Nullable(Type.String()),
  },
  { title: 'UnitCost' },
)

const Entered = Type.Object(
  {
    costNo: Type.Integer(),
    product: Type.String(),
    key: Type.String(),
    ghs: WithWireName('amount', Type.Number({ description: 'GHS for each unit.' })),
    percent: Type.Number(),
    validFrom: Timestamp(),
    createdAt: WithWireName('entered_at', Timestamp()),
    actor: WithWireName('entered_by', Type.String()),
    note: Nullable(Type.String()),
  },
  { title: 'EnteredCost' },
)

const { costNo: _, actor: _actor, ...entered } = Entered.properties

/** An entry as `--json` prints it. */
const PrintedEntry = Type.Object({ ...entered, actor: Type.String() })

const PrintedCost = Type.Object({
  product: Type.String(),
  key: Type.String(),
  title: Type.String(),
  unit: Type.String(),
  cost: Type.Union([PrintedEntry, Type.Null()]),
})

const costOf = ({ subject, cost, ...key }: CostedKey) => {
  const unknown = { ghs: null, percent: null, validFrom: null, actor: null, note: null }
  return { ...subject, ...(cost ?? unknown), ...key, of: subject.title, cost }
}

function describeCost({ ghs, percent }: Pick<UnitCost, 'ghs' | 'percent'>): string {
  const amount = `GHS ${ghs.toFixed(Math.max(2, (String(ghs).split('.')[1] ?? '').length))}`
  return percent === 0 ? amount : `${percent} %${ghs === 0 ? '' : ` and ${amount}`}`
}

function describeHistory(entries: readonly UnitCost[]): string {
  if (entries.length === 0) return 'Nothing was entered yet.'
  const lines = entries.map((entry) => [
    entry.createdAt.toISOString(),
    `${entry.product} ${entry.key}`,
    describeCost(entry),
    entry.validFrom.toISOString(),
    entry.actor,
    entry.note ?? '',
  ])
  return layOutTable([['entered', 'of', 'cost', 'counts from', 'by', 'note'], ...lines])
}

function describeCosts(costs: readonly ReturnType<typeof costOf>[]): string {
  const lines = costs.map(({ product, key, title, unit, cost }) => [
    product,
    key,
    title,
    cost ? `${describeCost(cost)} a ${unit}` : 'not known',
  ])
  return layOutTable([['product', '--of', 'what', 'cost'], ...lines])
}

const amount = Type.Number({ minimum: 0, maximum: costGhsMax, [decimalsKeyword]: costDecimals })
const percentOfPaid = Type.Number({ minimum: 0, maximum: 100, [decimalsKeyword]: 4 })
const note = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })

/** Operations on the costs that no supplier reports. Reports need these costs for the margin. */
export const costOperations = [
  operation({
    command: 'cost list',
    example: 'makola cost list',
    summary: 'List everything whose cost can be entered, with what it costs now',
    input: Type.Object({
      history: Type.Optional(
        Type.Integer({ minimum: 1, maximum: historyMax, description: 'list so many of the entries instead, newest first' }),
      ),
    }),
    output: Type.Object({ costs: Type.Optional(Type.Array(PrintedCost)), history: Type.Optional(Type.Array(PrintedEntry)) }),
    async act({ db }, _staff, { history }) {
      if (history !== undefined) return { history: await listCostHistory(db, history) }
      return { costs: (await listCosts(db, allCostSubjects)).map(costOf) }
    },
    text: ({ costs = [], history }) => (history ? describeHistory(history) : describeCosts(costs)),
  }),
  operation({
    route: 'GET /costs',
    operationId: 'deskListCosts',
    tag: 'Reports',
    permission: 'see',
    summary: 'What vouchers, registrations, SMS and gateways cost, where no supplier reports it',
    input: Type.Object({}),
    output: Type.Object(
      { costs: Type.Array(Cost), history: Type.Array(Entered, { description: 'The newest 100 entries, newest first.' }) },
      { title: 'UnitCosts' },
    ),
    async act({ db }) {
      const [costs, history] = await Promise.all([listCosts(db, allCostSubjects), listCostHistory(db, historyShown)])
      return { costs: costs.map(costOf), history }
    },
  }),
  operation({
    command: 'cost set <product>',
    example: `makola cost set results_checker --of 0190a1b2-0000-7000-8000-000000000000 --amount 15.50    a batch, or a type
  makola cost set afa --amount 8.00 --from 2026-10-01
  makola cost set sms --of smsc --amount 0.0255                                                  for each segment
  makola cost set top_ups --of paystack --percent 1.95`,
    route: 'POST /costs',
    operationId: 'deskSetCost',
    tag: 'Reports',
    permission: 'manage_money',
    refusals: [400, 409],
    summary: 'Enter what a unit costs from a day on; reports count the costs since then anew',
    input: Type.Object(
      {
        product: WithHelp('as `makola cost list` names it', Type.String({ maxLength: 100 })),
        key: NeededAtDesk(
          WithOptionName(
            'of',
            WithHelp('the batch, type, link or gateway, as `makola cost list` names it', Type.String({ maxLength: 200 })),
          ),
        ),
        ghs: NeededAtDesk(WithHelp('in GHS for each unit, with up to 6 decimals', WithWireName('amount', amount))),
        percent: Type.Optional(WithHelp('of what is paid through a gateway', percentOfPaid)),
        from: Type.Optional(Day({ description: 'The first day on which it counts; left out: now, of a batch its import.' })),
        note: Type.Optional(WithHelp('where it comes from, such as the number of an invoice', note)),
      },
      { title: 'UnitCostBody' },
    ),
    output: Cost,
    check: ({ ghs, percent }) =>
      ghs === undefined && percent === undefined ? 'Say what it costs: --amount, --percent or both.' : undefined,
    async act({ db }, { actor }, { key = '', ghs = 0, percent = 0, ...entry }) {
      const entered = { ...entry, key, ghs, percent, actor }
      return costOf(await inTransaction(db, (tx) => setUnitCost(tx, allCostSubjects, entered)))
    },
    printed: PrintedCost,
    text: ({ of, title, unit, cost }) =>
      `${of}, ${title}: ${cost ? describeCost(cost) : 'not known'} a ${unit} now. The worker counts the costs of the days since then anew.`,
  }),
]
