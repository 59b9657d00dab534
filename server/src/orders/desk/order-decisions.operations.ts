import Type from 'typebox'
import { formatAmount } from '../../money/amount.ts'
import { Ghs } from '../../money/ghs.ts'
import { formatGhs, pesewas } from '../../money/pesewas.ts'
import type { ApprovalKind } from '../../platform/approvals/approval-kind.ts'
import { confirmApproval, refuseApproval } from '../../platform/approvals/decide-approval.ts'
import { describeConfirmed } from '../../platform/approvals/propose-approval.ts'
import type { Person } from '../../platform/approvals/two-people.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { OneOf, Uuid } from '../../platform/http/schemas.ts'
import { AtDeskOnly, WithOptionName } from '../../platform/operations/fields.ts'
import { type Actor, type OperationDeps, operation } from '../../platform/operations/operation.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { adjustByPeople, adjustmentKind } from '../manual/adjust-by-people.ts'
import type { TwoPersonResult } from '../manual/decide-by-two-people.ts'
import { settleByPeople, settlementKind } from '../manual/settle-by-people.ts'
import { takeBackByPeople, takeBackKind } from '../manual/take-back-by-people.ts'
import { amountOf, listOrdersById, type Order } from '../order.ts'
import type { ProductFacts } from '../product-facts.ts'
import { OrderId } from './order-desk.schemas.ts'
import { describePrinted, mustReadHistory, PrintedOrder, type ReadOrder, readPrinted } from './printed-order.ts'

type Products = readonly ProductFacts[]

const outcomes = ['completed', 'failed'] as const

/** @throws RefusalError 404 when there is no such order */
export async function mustFindOrder(db: Db, orderId: string): Promise<Order> {
  const id = orderId.toLowerCase()
  const order = (await listOrdersById(db, [id])).get(id)
  if (!order) throw new RefusalError(refusals.orderNotFound)
  return order
}

const Evidence = (description: string) => Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description })

export const changingOrder = {
  tag: 'Orders',
  isConfirmationNeeded: true,
  refusals: [refusals.orderNotFound, 409],
  about: async ({ db }: OperationDeps, _actor: Actor, { orderId }: { readonly orderId: string }) =>
    (await mustFindOrder(db, orderId)).accountId,
} as const

const Decided = Type.Object(
  {
    state: OneOf(['proposed', 'done', 'refused', 'same_waits'], {
      description: '`same_waits`: nothing was done; the proposal named waits.',
    }),
    approvalId: Uuid(),
  },
  { title: 'DeskOrderDecided' },
)

function mustBeDone(result: TwoPersonResult, { by }: Person) {
  if (result.state === 'refused') throw new OperatorRequestError(result.why, result)
  const { state, approvalId, order } = result
  return { state: state === 'settled' ? ('done' as const) : state, approvalId, order, by }
}

/** Builds the request for a decision, with the evidence trimmed. @throws RefusalError 404 when there is no such order */
async function decisionOf(db: Db, person: Person, asked: { readonly orderId: string; readonly evidence: string }) {
  return { orderId: (await mustFindOrder(db, asked.orderId)).id, evidence: asked.evidence.trim(), person }
}

const evidence = Evidence('What shows it, such as the number of the supplier’s ticket.')

export const describeOrders = ({ orders, lead = '' }: { readonly orders: readonly ReadOrder[]; readonly lead?: string }) =>
  `${lead}${orders.map(describePrinted).join('\n')}`

/** Finds the order that a command names by any of its references or by its id. */
export function findOrderBy(products: Products) {
  return async <Named extends { readonly orderId: string }>({ db }: OperationDeps, named: Named): Promise<Named> => {
    const { order } = await mustReadHistory(db, products, named.orderId)
    return { ...named, orderId: order.id }
  }
}

type Done = ReturnType<typeof mustBeDone>

/**
 * Reads the order after a person's decision about it, with a sentence on what was done.
 * @param proposed what was proposed, the words after "Proposed by …:"
 */
async function printDecision(
  { db }: OperationDeps,
  products: Products,
  { state, approvalId, order, by }: Done,
  proposed: string,
  done: string,
) {
  const wait = `A second person confirms it within 7 days with \`makola approvals confirm ${approvalId}\`, or the same command and another --by.`
  const isDone = state === 'done'
  const lead = isDone ? `${done} ${await describeConfirmed(db, approvalId)}` : `Proposed by ${by}: ${proposed}. ${wait}`
  const orders = [await readPrinted(db, products, order.id)]
  return { approvalId, status: isDone ? ('done' as const) : ('pending' as const), orders, lead: `${lead}\n` }
}

/** Shared by decisions that take two people. On the command line, a second person confirms by typing the same command. */
const deciding = (products: Products) => ({
  ...changingOrder,
  find: findOrderBy(products),
  by: 'required' as const,
  output: Decided,
  printed: Type.Object({ approvalId: Uuid(), status: OneOf(['pending', 'done']), orders: Type.Array(PrintedOrder) }),
  text: describeOrders,
})

function endings(products: Products) {
  return [
    operation({
      ...deciding(products),
      command: 'order settle <order-id>',
      example: 'makola order settle my-first-order --as failed --evidence "ticket 4711: never arrived" --by ama',
      route: 'POST /orders/:order_id/settle',
      operationId: 'deskSettleOrder',
      permission: 'settle_orders',
      summary: 'Propose how a stuck order ended',
      description: 'Where somebody else proposed the same, the answer is `same_waits`: that proposal is confirmed by its id.',
      input: Type.Object({ orderId: OrderId, outcome: WithOptionName('as', OneOf(outcomes)), evidence }),
      async act({ db }, { person }, { outcome, ...asked }) {
        return mustBeDone(await settleByPeople(db, products, { ...(await decisionOf(db, person, asked)), outcome }), person)
      },
      print: (deps, answer, { outcome }) =>
        printDecision(deps, products, answer, outcome, `Settled: the order is ${answer.order.status}.`),
    }),
    operation({
      ...deciding(products),
      command: 'order take-back <order-id>',
      example: `makola order take-back my-vouchers --evidence "the school's system refuses the PINs" --by ama`,
      route: 'POST /orders/:order_id/take-back',
      operationId: 'deskTakeOrderBack',
      permission: 'manage_money',
      summary: 'Propose to refund a purchase of vouchers',
      input: Type.Object({ orderId: OrderId, evidence }),
      act: async ({ db }, { person }, asked) =>
        mustBeDone(await takeBackByPeople(db, products, await decisionOf(db, person, asked)), person),
      print(deps, answer) {
        const paid = formatAmount(amountOf(products, answer.order))
        const done = `Taken back: ${paid} went back. The vouchers stay with the order and are never sold again.`
        return printDecision(deps, products, answer, 'take it back', done)
      },
    }),
  ]
}

function adjustments(products: Products) {
  return [
    operation({
      ...deciding(products),
      command: 'order adjust <order-id>',
      example: 'makola order adjust my-first-order --amount 4.50 --evidence "ticket 4712: completed, but never arrived" --by ama',
      route: 'POST /orders/:order_id/adjust',
      operationId: 'deskAdjustOrder',
      permission: 'manage_money',
      refusals: [400, ...changingOrder.refusals],
      summary: 'Propose to make an ended order good, or to claw it back',
      input: Type.Object({
        orderId: OrderId,
        amountPesewas: Ghs({ minimum: -1_000_000, maximum: 1_000_000, description: 'In GHS: above 0 to the reseller.' }),
        evidence,
        reference: AtDeskOnly(
          Type.String({ minLength: 8, maxLength: 100, description: 'Made by the page. The same one proposes once.' }),
        ),
      }),
      check: ({ amountPesewas }) =>
        amountPesewas === 0 ? 'amount must be an amount in GHS with at most 2 decimals, and not 0.' : undefined,
      async act({ db }, { person }, { amountPesewas, reference, ...asked }) {
        const decision = { ...(await decisionOf(db, person, asked)), amountPesewas, reference }
        return mustBeDone(await adjustByPeople(db, products, decision), person)
      },
      print(deps, answer, { amountPesewas }) {
        const amount = formatGhs(pesewas(Math.abs(amountPesewas)))
        const way = amountPesewas > 0 ? 'to' : 'from'
        const done = `Adjusted: ${amount} went ${way} the main wallet. The order is still ${answer.order.status}.`
        return printDecision(deps, products, answer, `${amount} ${way} the reseller`, done)
      },
    }),
  ]
}

type OrderDecision = {
  /** The decision as a word of the command and of the route, such as `settle`. */
  readonly word: string
  /** The last part of each operationId, after `deskConfirmOrder` and `deskRefuseOrder`. */
  readonly name: string
  readonly permission: 'settle_orders' | 'manage_money'
  readonly kind: ApprovalKind
}

/**
 * Makes sure that the proposal is of this kind and about this order, because the permission was checked only for this order.
 * @throws RefusalError 404 when it is not
 */
async function mustBeAbout(db: Db, { name }: ApprovalKind, orderId: string, approvalId: string): Promise<void> {
  const found = await db
    .selectFrom('approvals')
    .select('id')
    .where('id', '=', approvalId)
    .where('kind', '=', name)
    .where('key', '=', orderId.toLowerCase())
    .executeTakeFirst()
  if (!found) throw new RefusalError(refusals.orderNotFound)
}

/** The routes by which a second person confirms or refuses a proposal about an order. */
function secondPersonRoutes({ word, name, permission, kind }: OrderDecision) {
  const ways = [
    { way: 'confirm', state: 'done', summary: 'Confirm what somebody else proposed about an order' },
    { way: 'refuse', state: 'refused', summary: 'Refuse what was proposed about an order, or withdraw one’s own proposal' },
  ] as const
  return ways.map(({ way, state, summary }) =>
    operation({
      ...changingOrder,
      route: `POST /orders/:order_id/${word}/${way}`,
      operationId: `desk${way === 'confirm' ? 'Confirm' : 'Refuse'}Order${name}`,
      permission,
      summary,
      input: Type.Object({
        orderId: OrderId,
        approvalId: OrderId,
        evidence: Evidence('What this person looked at, or why not.'),
      }),
      output: Decided,
      async act({ db }, { person }, { orderId, approvalId: id, evidence: seen }) {
        const decision = { approvalId: id.toLowerCase(), person, note: seen.trim() }
        await mustBeAbout(db, kind, orderId, decision.approvalId)
        await inTransaction<unknown>(db, (tx) =>
          way === 'confirm' ? confirmApproval(tx, [kind], decision) : refuseApproval(tx, decision),
        )
        return { state, approvalId: decision.approvalId }
      },
    }),
  )
}

export function orderDecisionOperations(products: Products) {
  const money = { permission: 'manage_money' } as const
  return [
    ...endings(products),
    ...adjustments(products),
    ...secondPersonRoutes({
      word: 'settle',
      name: 'Settle',
      permission: 'settle_orders',
      kind: settlementKind(products),
    }),
    ...secondPersonRoutes({ ...money, word: 'take-back', name: 'TakeBack', kind: takeBackKind(products) }),
    ...secondPersonRoutes({ ...money, word: 'adjust', name: 'Adjust', kind: adjustmentKind(products) }),
  ]
}
