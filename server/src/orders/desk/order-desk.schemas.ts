import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { OrderLine, orderFilters } from '../members/order-member.schemas.ts'
import { findings } from '../order-reports/order-report.ts'
import { waitReasonCodes } from './find-wait-reason.ts'

export const OrderId = Uuid({ pattern: '^[0-9a-fA-F]{8}-' })
export const Statuses = OrderLine.properties.status
const text = (description: string) => Type.String({ minLength: 1, maxLength: 120, description })

/** The filters of the list of orders, and of its CSV file. */
const deskFilters = {
  status: orderFilters.status,
  product: orderFilters.product,
  network: Type.Optional(
    Type.String({ maxLength: 40, description: 'On this network, or to this biller; `none`: on no network.' }),
  ),
  package: Type.Optional(text('A package as reports name it: `MTN 5GB`, or the type of a voucher.')),
  role: Type.Optional(text('Bought at the prices of this role, as reports name it.')),
  supplier: Type.Optional(Type.String({ maxLength: 40, description: 'Given to this supplier, whatever came of it.' })),
  account: Type.Optional(text('Of this account: its e-mail or id.')),
  recipient: Type.Optional(text('A phone number in any way of writing it, a meter, a smartcard or an e-mail.')),
  reference: Type.Optional(text('Any reference or id: the reseller’s, ours at the supplier, the supplier’s own.')),
  only: Type.Optional(
    OneOf(['stuck', 'held', 'contradicted'], {
      description:
        '`stuck`: needs a person, oldest first. `held`: waits for something. `contradicted`: a supplier said something else after the end.',
    }),
  ),
  from: orderFilters.from,
  to: orderFilters.to,
}
export const DeskOrderFilters = Type.Object(deskFilters)
export const DeskOrderQuery = Type.Object({
  ...deskFilters,
  after: Type.Optional(Uuid({ pattern: '^[0-9a-fA-F]{8}-', description: 'The `next` of the page before.' })),
})

export const DeskOrderLine = Type.Object(
  {
    orderId: Uuid(),
    reference: Type.String(),
    accountId: Uuid(),
    account: Type.String({ description: 'The account’s e-mail.' }),
    accountName: Type.String(),
    product: Type.String(),
    title: Type.String({ description: 'What a person calls the product.' }),
    network: Nullable(Type.String()),
    variety: Nullable(Type.String({ description: 'Which of its kind: `5GB`, or the type of a voucher.' })),
    recipient: Type.String(),
    price: Type.Number({ description: 'In the unit beside it.' }),
    unit: OneOf(['GHS', 'credits']),
    status: Statuses,
    supplier: Nullable(Type.String({ description: 'Who got the order last.' })),
    route: Nullable(Type.String({ description: 'Where an open order stands.' })),
    costPesewas: Nullable(Ghs({ description: 'In GHS; null: not known, or nothing was delivered.' })),
    costIsEstimate: Type.Boolean({
      description: 'Whether the cost is that of our price list, because the supplier said none.',
    }),
    isStuck: Type.Boolean({ description: 'Whether it needs a person.' }),
    isContradicted: Type.Boolean(),
    why: Type.Union([
      Type.Object({ code: OneOf(waitReasonCodes), since: Timestamp() }, { description: 'Why it does not go on.' }),
      Type.Null(),
    ]),
    nextStepAt: Nullable(Timestamp()),
    createdAt: Timestamp(),
  },
  { title: 'DeskOrderLine' },
)

export const DeskOrderPage = Type.Object(
  {
    orders: Type.Array(DeskOrderLine),
    next: Nullable(Uuid({ description: 'Where the next page begins; null: this is the last one.' })),
  },
  { title: 'DeskOrderPage' },
)

export const DeskOrderChoices = Type.Object(
  {
    products: Type.Array(Type.Object({ name: Type.String(), title: Type.String() })),
    networks: Type.Array(Type.String(), { description: 'Networks and billers.' }),
    suppliers: Type.Array(Type.String()),
  },
  { title: 'DeskOrderChoices' },
)

const SupplierWords = Type.Object({
  at: Timestamp(),
  source: Type.String(),
  evidence: Type.String({ description: 'The supplier’s own words.' }),
})

const Step = Type.Object(
  {
    at: Timestamp(),
    until: Nullable(Timestamp({ description: 'The last repeat.' })),
    step: OneOf(['paid', 'sent', 'answered', 'asked', 'called_back', 'person_said', 'moved', 'money_back', 'contradicted']),
    count: Type.Integer({ description: 'How many times it happened in a row.' }),
    supplier: Nullable(Type.String()),
    reference: Nullable(Type.String({ description: 'What the supplier knows the attempt by.' })),
    answer: Nullable(Type.String({ description: 'The meaning of an answer, or the new state.' })),
    actor: Nullable(Type.String()),
    reason: Nullable(Type.String()),
    said: Type.Array(SupplierWords),
  },
  { title: 'DeskOrderStep' },
)

const Proposal = Type.Object(
  {
    approvalId: Uuid(),
    state: OneOf(['pending', 'done', 'refused', 'expired']),
    outcome: OneOf(['completed', 'failed', 'refunded', 'adjusted']),
    amountPesewas: Nullable(Ghs({ description: 'Of an adjustment, in GHS: above 0 to the reseller.' })),
    evidence: Type.String(),
    proposedBy: Type.String(),
    proposedAt: Timestamp(),
    confirmedBy: Nullable(Type.String()),
    note: Nullable(Type.String()),
    isOwn: Type.Boolean({ description: 'Whether the person who asks proposed it. Nobody confirms their own.' }),
  },
  { title: 'DeskOrderProposal' },
)

export const DeskReport = Type.Object(
  {
    reason: Type.String({ description: 'What the reseller wrote; may be empty.' }),
    statusThen: Statuses,
    reportedBy: Type.String(),
    reportedAt: Timestamp(),
    answer: Nullable(Type.String()),
    found: Type.Unsafe<(typeof findings)[number] | null>({ type: ['string', 'null'], enum: [...findings, null] }),
    answeredBy: Nullable(Type.String()),
    answeredAt: Nullable(Timestamp()),
  },
  { title: 'DeskOrderReport' },
)

const Entry = Type.Object({
  at: Timestamp(),
  kind: Type.String({ examples: ['purchase', 'refund'] }),
  purse: Type.String(),
  unit: OneOf(['GHS', 'credits']),
  change: Type.Number(),
  before: Type.Number(),
  after: Type.Number(),
})

export const DeskOrder = Type.Object(
  {
    order: DeskOrderLine,
    holder: Nullable(Type.String({ description: 'The account holder’s name that the biller gave.' })),
    source: Type.String({ examples: ['api', 'web'] }),
    details: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), { description: 'What the order froze.' }),
    endedAt: Nullable(Timestamp()),
    putAway: Nullable(
      Type.String({ description: 'Where its moves, attempts and entries are, when they are put away into files.' }),
    ),
    commissionEarnedPesewas: Ghs({ description: 'What the supplier pays us for it, in GHS.' }),
    commissionPaidPesewas: Ghs({ description: 'What the reseller got of it, in GHS.' }),
    marginPesewas: Nullable(Ghs({ description: 'Of a completed order whose cost is known, in GHS.' })),
    entries: Type.Array(Entry, { description: 'In the wallets of its owner.' }),
    steps: Type.Array(Step),
    messages: Type.Array(
      Type.Object({
        at: Timestamp(),
        kind: Type.String(),
        channel: Type.String(),
        state: Type.String(),
        reason: Nullable(Type.String()),
      }),
      { description: 'Notices to the reseller and courtesy messages to the buyer.' },
    ),
    proposals: Type.Array(Proposal),
    report: Type.Union([DeskReport, Type.Null()]),
    can: Type.Object({
      ask: Type.Boolean(),
      settle: Type.Array(OneOf(['completed', 'failed'])),
      refund: Type.Boolean(),
      takeBack: Type.Boolean(),
      adjust: Type.Boolean(),
    }),
  },
  { title: 'DeskOrder' },
)

export const DeskOrderCalls = Type.Object(
  {
    request: Nullable(Type.String({ description: 'What the reseller’s program sent to place it, as JSON.' })),
    calls: Type.Array(
      Type.Object({
        id: Uuid(),
        at: Timestamp(),
        method: Type.String(),
        path: Type.String(),
        status: Type.Integer(),
        milliseconds: Type.Integer(),
      }),
      { description: 'The reseller’s calls about it, newest first.' },
    ),
  },
  { title: 'DeskOrderCalls' },
)

export const DeskOrderPath = Type.Object({ order: text('Any reference or id.') })
export const DeskOrderIdPath = Type.Object({ order_id: OrderId })
