import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { type ApprovalKind, ApprovalRefusedError } from '../../platform/approvals/approval-kind.ts'
import { proposeApproval } from '../../platform/approvals/propose-approval.ts'
import type { Db, TableRow } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { beginGap, findLastGap, findOpenGap } from '../../platform/history/gaps.ts'
import { GivenReason, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import type { ProductFacts } from '../product-facts.ts'
import { raiseHistoryAlarm } from './history-alarm.ts'

const GapShown = Type.Object({
  id: Uuid(),
  noticedAt: Timestamp(),
  noticedBy: Type.String(),
  reason: Type.String(),
  wentBackTo: Timestamp(),
  knownUntil: Timestamp(),
  acceptedAt: Nullable(Timestamp()),
  keptBack: Type.Record(Type.String(), Type.Integer()),
})

const Missing = Type.Object({
  reference: Type.String(),
  orderId: Uuid(),
  accountId: Uuid(),
  kind: Type.String(),
  amount: Type.Integer({ description: 'Pesewas, or SMS credits.' }),
  acknowledgedAt: Timestamp(),
  releasedAt: Nullable(Timestamp()),
  isPlacedAgain: Type.Boolean(),
})

const MissingSend = Type.Object({
  orderId: Uuid(),
  supplier: Type.String(),
  outgoingReference: Type.String(),
  sentAt: Nullable(Timestamp()),
  answer: Nullable(Type.String({ description: 'The supplier’s last answer.' })),
})

const MissingOfAccount = Type.Object({ accountId: Uuid(), kind: Type.String(), orders: Type.Integer(), amount: Type.Integer() })

const History = Type.Object({
  isHeld: Type.Boolean(),
  gap: Nullable(GapShown),
  missingByAccount: Type.Array(MissingOfAccount),
  missing: Type.Array(Missing),
  missingSends: Type.Array(MissingSend),
  openOrders: Type.Object({ unsent: Type.Integer(), asked: Type.Integer() }),
})
type History = Static<typeof History>

async function listMissing(db: Db, gapId: string): Promise<Static<typeof Missing>[]> {
  const { rows } = await sql<Static<typeof Missing>>`
    select reference, order_id as "orderId", account_id as "accountId", kind, price as amount,
      acknowledged_at as "acknowledgedAt", released_at as "releasedAt", is_placed_again as "isPlacedAgain"
    from missing_orders where gap_id = ${gapId} order by order_id`.execute(db)
  return rows
}

/**
 * Lists the sends to suppliers that the database has lost or may have lost, each with the supplier's last answer about it. If
 * `sentAt` is null, nobody knows whether it was sent.
 */
async function listMissingSends(db: Db, gapId: string): Promise<Static<typeof MissingSend>[]> {
  const { rows } = await sql<Static<typeof MissingSend>>`
    select order_id as "orderId", supplier, outgoing_reference as "outgoingReference", sent_at as "sentAt", answer
    from missing_sends where gap_id = ${gapId} order by order_id, supplier, outgoing_reference`.execute(db)
  return rows
}

function sumByAccount(missing: readonly Static<typeof Missing>[]): Static<typeof MissingOfAccount>[] {
  const groups = Map.groupBy(missing, ({ accountId, kind }) => `${accountId} ${kind}`)
  return [...groups.values()].flatMap((orders) => {
    const [first] = orders
    if (!first) return []
    const amount = orders.reduce((sum, order) => sum + order.amount, 0)
    return [{ accountId: first.accountId, kind: first.kind, orders: orders.length, amount }]
  })
}

async function readHistory(db: Db): Promise<History> {
  const gap = (await findLastGap(db)) ?? null
  const missing = gap ? await listMissing(db, gap.id) : []
  const missingSends = gap ? await listMissingSends(db, gap.id) : []
  const { rows } = await sql<{ unsent: number; asked: number }>`
    select count(*) filter (where attempt_no is null)::integer as unsent,
      count(*) filter (where attempt_no is not null)::integer as asked
    from open_orders`.execute(db)
  const openOrders = rows[0] ?? { unsent: 0, asked: 0 }
  return {
    isHeld: gap !== null && gap.acceptedAt === null,
    gap: gap && { ...gap, keptBack: { ...gap.keptBack } },
    missingByAccount: sumByAccount(missing),
    missing,
    missingSends,
    openOrders,
  }
}

const decisionOf = ({ releasedAt, isPlacedAgain }: Static<typeof Missing>) =>
  releasedAt === null ? '' : isPlacedAgain ? '  placed again at its next request' : '  released'

function describeHistory({ isHeld, gap, missingByAccount, missing, missingSends, openOrders }: History): string {
  if (!gap) return 'History has never gone back.'
  const shown = (moment: Date) => moment.toISOString()
  const state = isHeld ? 'Nothing is sold and nothing is sent.' : `Accepted at ${gap.acceptedAt ? shown(gap.acceptedAt) : ''}.`
  return [
    `${state} Noticed at ${shown(gap.noticedAt)} by ${gap.noticedBy}: ${gap.reason}.`,
    `The database knows nothing between ${shown(gap.wentBackTo)} and ${shown(gap.knownUntil)}.`,
    ...Object.entries(gap.keptBack).map(([name, count]) => `  ${name.replaceAll('_', ' ')}: ${count}`),
    `Open orders: ${openOrders.unsent} to be sent, ${openOrders.asked} that suppliers are asked about.`,
    `Acknowledged orders that are known to be missing: ${missing.length}`,
    ...missingByAccount.map(
      ({ accountId, kind, orders, amount }) => `  account ${accountId}: ${orders} of ${kind}, ${amount} in all`,
    ),
    ...missing.map((order) => `  ${order.reference}  ${order.kind}  ${order.amount}  ${order.orderId}${decisionOf(order)}`),
    `What suppliers say of sends that no row knows: ${missingSends.length}`,
    ...missingSends.map(
      ({ orderId, supplier, outgoingReference, sentAt, answer }) =>
        `  ${orderId}  ${supplier}  ${outgoingReference}  ${sentAt ? 'sent' : 'perhaps sent'}  ${answer ?? 'not asked yet'}`,
    ),
  ].join('\n')
}

const nothingHeld = 'History has not gone back: nothing waits to be accepted.'

function acceptOperation(kind: ApprovalKind<{ gapId: string }>) {
  return operation({
    command: 'history accept',
    example: 'makola history accept --reason "the backup of 3 o’clock; suppliers compared" --by ama',
    summary: 'Sell and send again after history went back, by two people',
    by: 'required',
    input: Type.Object({ reason: GivenReason }),
    output: Type.Object({ approvalId: Uuid(), status: OneOf(['pending', 'done', 'same_waits']), history: History }),
    question: () =>
      Promise.resolve('Go on? Orders that may have been sent are asked about; campaigns are paused, vouchers taken off sale.'),
    async act({ db }, { person }, { reason }) {
      const gap = await findOpenGap(db)
      if (!gap) throw new ApprovalRefusedError(nothingHeld)
      const proposal = { kind, subject: gap.id, request: { gapId: gap.id }, key: gap.id, reason, person }
      const proposed = await inTransaction(db, (tx) => proposeApproval(tx, proposal))
      return { ...proposed, history: await readHistory(db) }
    },
    text: ({ approvalId, status, history }) =>
      status === 'done'
        ? `${describeHistory(history)}\nEach API and worker goes on at its next look, within a few seconds.`
        : `Proposed. A second person confirms it: makola approvals confirm ${approvalId} --by NAME`,
  })
}

const holdOperation = operation({
  command: 'history hold',
  example: 'makola history hold --reason "restored the backup of 3 o’clock" --by ama',
  summary: 'Stop selling and sending after a restore, before anything is started',
  by: 'required',
  input: Type.Object({ reason: GivenReason }),
  output: History,
  async act({ db }, { actor }, { reason }) {
    const gap = await inTransaction(db, async (tx) => {
      const begun = await beginGap(tx, { noticedBy: actor, reason })
      await appendOperatorLog(tx, { actor, action: 'history hold', subject: begun.id, details: { reason } })
      return begun
    })
    await raiseHistoryAlarm(db, { error: () => undefined }, gap)
    return readHistory(db)
  },
  text: describeHistory,
})

type SuppliedProduct = Pick<ProductFacts, 'name' | 'fulfilledBy'>

type Decision = {
  readonly reference: string
  readonly reason: string
  /** The products, if the order is to be placed again; suppliers must fulfil it. Absent: the reference is released. */
  readonly placedAgain?: readonly SuppliedProduct[]
}

/**
 * Decides about a missing reference, once.
 * @throws OperatorRequestError when no missing order with this reference waits for a decision, or when it is to be placed again
 * and suppliers do not fulfil its product, or no request can be recognised as its repeat
 */
function decideMissing(db: Db, actor: string, { reference, reason, placedAgain }: Decision): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<TableRow<'missing_orders', 'order_id' | 'account_id' | 'kind' | 'repeat_key'>>`
      update missing_orders
      set released_at = clock_timestamp(), released_by = ${actor}, reason = ${reason}, is_placed_again = ${placedAgain !== undefined}
      where reference = ${reference} and released_at is null
      returning order_id, account_id, kind, repeat_key`.execute(tx)
    if (rows.length === 0)
      throw new OperatorRequestError(`No missing order with the reference ${reference} waits for a decision.`)
    for (const { order_id: orderId, account_id, kind, repeat_key: repeatKey } of rows) {
      if (placedAgain && !placedAgain.some(({ name, fulfilledBy }) => name === kind && fulfilledBy === 'suppliers'))
        throw new OperatorRequestError(`No supplier can be asked about an order of ${kind}. Release ${reference}, or leave it.`)
      if (placedAgain && repeatKey === null)
        throw new OperatorRequestError(
          `The request of ${reference} had no reference of the reseller, so no other request is known to be the same. Release it, or leave it.`,
        )
      const action = placedAgain ? 'history place' : 'history release'
      await appendOperatorLog(tx, { actor, action, subject: orderId, details: { reference, reason, account_id } })
    }
    return rows.length
  })
}

const placeOperation = (products: readonly SuppliedProduct[]) =>
  operation({
    command: 'history place <reference>',
    example: 'makola history place order-4711 --reason "the supplier delivered it" --by ama',
    summary: 'Let the reseller’s next request place a lost order again, as it was',
    description:
      'The request gets the old id and must meet the old price. Suppliers are asked before it is sent: what they have delivered is not sent again.',
    by: 'required',
    input: Type.Object({ reference: Type.String({ minLength: 1, maxLength: 200 }), reason: GivenReason }),
    output: Type.Object({ decided: Type.Integer() }),
    act: async ({ db }, { actor }, input) => ({ decided: await decideMissing(db, actor, { ...input, placedAgain: products }) }),
    text: ({ decided }) => `Decided: ${decided}. The next request with the reference places it as it was.`,
  })

const releaseOperation = operation({
  command: 'history release <reference>',
  example: 'makola history release order-4711 --reason "the supplier never got it" --by ama',
  summary: 'Let a reseller place an order again that history has lost',
  description: 'Until then a repeat of its reference is answered `outcome_unknown`. A released reference is a new order.',
  by: 'required',
  input: Type.Object({ reference: Type.String({ minLength: 1, maxLength: 200 }), reason: GivenReason }),
  output: Type.Object({ released: Type.Integer() }),
  act: async ({ db }, { actor }, input) => ({ released: await decideMissing(db, actor, input) }),
  text: ({ released }) => `Released: ${released}. The reference can be used for a new order within a second.`,
})

/** Questions and decisions of the staff after the database went back to an earlier state. */
export const historyOperations = (kind: ApprovalKind<{ gapId: string }>, products: readonly SuppliedProduct[]) => [
  operation({
    command: 'history show',
    example: 'makola history show',
    summary: 'Whether history went back, since when, and what is known to be missing',
    input: Type.Object({}),
    output: History,
    act: ({ db }) => readHistory(db),
    text: describeHistory,
  }),
  acceptOperation(kind),
  holdOperation,
  placeOperation(products),
  releaseOperation,
]
