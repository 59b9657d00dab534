import { ghs, pesewas, pesewasFromGhs } from '../../money/pesewas.ts'
import type { ApprovalKind } from '../../platform/approvals/approval-kind.ts'
import { confirmApproval, refuseApproval } from '../../platform/approvals/decide-approval.ts'
import type { Person } from '../../platform/approvals/people.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { adjustByPeople, adjustmentKind } from '../manual/adjust-by-people.ts'
import { askOrderNow } from '../manual/ask-order-now.ts'
import type { PeoplesResult } from '../manual/decide-by-two-people.ts'
import { explainNoRefund, refundByPerson } from '../manual/refund-by-person.ts'
import { settleByPeople, settlementKind } from '../manual/settle-by-people.ts'
import { takeBackByPeople, takeBackKind } from '../manual/take-back-by-people.ts'
import { listOrdersById, type Order } from '../order.ts'
import { productOf } from '../product-facts.ts'
import {
  AdjustBody,
  AskBody,
  Asked,
  DecideBody,
  Decided,
  DeskOrderIdPath,
  Refunded,
  SettleBody,
  TakeBackBody,
} from './order-desk.schemas.ts'
import type { DeskOrderDeps } from './read-desk-query.ts'

const tags = ['Orders']

type Decider = { readonly mustNotOwn: (accountId: string) => void }

/**
 * Finds the order to decide about. @throws RefusalError 404 when there is no such order, 403 when it is one of the person's
 * own account
 */
async function mustFind({ db }: DeskOrderDeps, orderId: string, { mustNotOwn }: Decider): Promise<Order> {
  const id = orderId.toLowerCase()
  const order = (await listOrdersById(db, [id])).get(id)
  if (!order) throw new RefusalError(refusals.orderNotFound)
  mustNotOwn(order.accountId)
  return order
}

/** @throws OperatorRequestError with the reason when it cannot be done */
function viewDecision(result: PeoplesResult) {
  if (result.state === 'refused') throw new OperatorRequestError(result.why, result)
  return ok({
    state: result.state === 'settled' ? ('done' as const) : result.state,
    approval_id: result.approvalId,
  })
}

/** The routes have the names of the commands. */
export function registerOrderDecisionRoutes(desk: Api, deps: DeskOrderDeps): void {
  registerAsk(desk, deps)
  registerRefund(desk, deps)
  registerSettle(desk, deps)
  registerMoney(desk, deps)
  const { products } = deps
  registerSecondPerson(desk, deps, { name: 'Settle', path: 'settle', permission: 'settle_orders' }, settlementKind(products))
  registerSecondPerson(desk, deps, { name: 'TakeBack', path: 'take-back', permission: 'manage_money' }, takeBackKind(products))
  registerSecondPerson(desk, deps, { name: 'Adjust', path: 'adjust', permission: 'manage_money' }, adjustmentKind(products))
}

function registerAsk(desk: Api, deps: DeskOrderDeps): void {
  desk.post(
    '/ask-orders',
    {
      config: { permission: 'settle_orders' },
      schema: {
        operationId: 'deskAskOrders',
        tags,
        summary: 'Let the worker take the next step for these orders at once',
        body: AskBody,
        response: { 200: Envelope(Asked) },
      },
    },
    async ({ body, staff }) => {
      const orders = await listOrdersById(
        deps.db,
        body.order_ids.map((id) => id.toLowerCase()),
      )
      const asked: string[] = []
      for (const order of orders.values()) if (await askOrderNow(deps.db, order, staff.actor)) asked.push(order.id)
      return ok({ asked, not_asked: body.order_ids.filter((id) => !asked.includes(id.toLowerCase())) })
    },
  )
}

function registerRefund(desk: Api, deps: DeskOrderDeps): void {
  const { db, products } = deps
  desk.post(
    '/orders/:order_id/refund',
    {
      config: { permission: 'manage_money', isConfirmationNeeded: true, refusals: [refusals.orderNotFound, 409] },
      schema: {
        operationId: 'deskRefundOrder',
        tags,
        summary: 'Refund a failed order that was not refunded by itself',
        description: 'Once: the ledger refuses a second refund of an order, so a repeat is refused and moves nothing.',
        params: DeskOrderIdPath,
        response: { 200: Envelope(Refunded) },
      },
    },
    async ({ params, staff }) => {
      const order = await mustFind(deps, params.order_id, staff)
      const product = productOf(products, order.kind)
      if (!(await refundByPerson(db, product, order, staff.actor))) {
        const whyNot = explainNoRefund(product, await mustFind(deps, order.id, staff))
        throw new OperatorRequestError(whyNot.why, whyNot)
      }
      return ok({ amount: ghs(pesewas(order.price)) })
    },
  )
}

function registerSettle(desk: Api, deps: DeskOrderDeps): void {
  const { db, products } = deps
  desk.post(
    '/orders/:order_id/settle',
    {
      config: { permission: 'settle_orders', isConfirmationNeeded: true, refusals: [refusals.orderNotFound, 409] },
      schema: {
        operationId: 'deskSettleOrder',
        tags,
        summary: 'Propose how a stuck order ended',
        description: 'Where somebody else proposed the same, the answer is `same_waits`: that proposal is confirmed by its id.',
        params: DeskOrderIdPath,
        body: SettleBody,
        response: { 200: Envelope(Decided) },
      },
    },
    async ({ params, body, staff }) => {
      const { id: orderId } = await mustFind(deps, params.order_id, staff)
      const decision = { orderId, evidence: body.evidence.trim(), person: staff.person }
      return viewDecision(await settleByPeople(db, products, { ...decision, outcome: body.outcome }))
    },
  )
}

function registerMoney(desk: Api, deps: DeskOrderDeps): void {
  const { db, products } = deps
  const config = { permission: 'manage_money', isConfirmationNeeded: true, refusals: [refusals.orderNotFound, 409] } as const
  desk.post(
    '/orders/:order_id/take-back',
    {
      config,
      schema: {
        operationId: 'deskTakeOrderBack',
        tags,
        summary: 'Propose to refund a purchase of vouchers',
        params: DeskOrderIdPath,
        body: TakeBackBody,
        response: { 200: Envelope(Decided) },
      },
    },
    async ({ params, body, staff }) => {
      const { id: orderId } = await mustFind(deps, params.order_id, staff)
      const decision = { orderId, evidence: body.evidence.trim(), person: staff.person }
      return viewDecision(await takeBackByPeople(db, products, decision))
    },
  )
  desk.post(
    '/orders/:order_id/adjust',
    {
      config: { ...config, refusals: [400, refusals.orderNotFound, 409] },
      schema: {
        operationId: 'deskAdjustOrder',
        tags,
        summary: 'Propose to make an ended order good, or to claw it back',
        params: DeskOrderIdPath,
        body: AdjustBody,
        response: { 200: Envelope(Decided) },
      },
    },
    async ({ params, body, staff }) => {
      const size = pesewasFromGhs(Math.abs(body.amount))
      if (size === undefined || size === 0) {
        throw new RefusalError(refusals.invalidRequest('amount must be an amount in GHS with at most 2 decimals, and not 0.'))
      }
      const { id: orderId } = await mustFind(deps, params.order_id, staff)
      const { evidence, reference } = body
      const decision = { orderId, evidence: evidence.trim(), person: staff.person, reference }
      const amountPesewas = pesewas(Math.sign(body.amount) * size)
      return viewDecision(await adjustByPeople(db, products, { ...decision, amountPesewas }))
    },
  )
}

type Decision = { readonly name: string; readonly path: string; readonly permission: 'settle_orders' | 'manage_money' }
type SecondDecision = { readonly approvalId: string; readonly person: Person; readonly note: string }

/**
 * Makes sure that the proposal is of this kind and about this order, because the permission was checked only for this order.
 * @throws RefusalError 404
 */
async function mustBeAbout({ db }: DeskOrderDeps, orderId: string, { name }: { readonly name: string }, approvalId: string) {
  const found = await db
    .selectFrom('approvals')
    .select('id')
    .where('id', '=', approvalId.toLowerCase())
    .where('kind', '=', name)
    .where('key', '=', orderId.toLowerCase())
    .executeTakeFirst()
  if (!found) throw new RefusalError(refusals.orderNotFound)
}

function registerSecondPerson<Request>(desk: Api, deps: DeskOrderDeps, decision: Decision, kind: ApprovalKind<Request>): void {
  const { db } = deps
  const ways = {
    confirm: {
      summary: 'Confirm what somebody else proposed about an order',
      state: 'done' as const,
      decide: (decision: SecondDecision) => inTransaction(db, (tx) => confirmApproval(tx, [kind as ApprovalKind], decision)),
    },
    refuse: {
      summary: 'Refuse what was proposed about an order, or withdraw one’s own proposal',
      state: 'refused' as const,
      decide: (decision: SecondDecision) => inTransaction(db, (tx) => refuseApproval(tx, decision)),
    },
  }
  for (const [way, { summary, state, decide }] of Object.entries(ways)) {
    desk.post(
      `/orders/:order_id/${decision.path}/${way}`,
      {
        config: {
          permission: decision.permission,
          isConfirmationNeeded: true,
          refusals: [refusals.orderNotFound, 409],
        },
        schema: {
          operationId: `desk${way === 'confirm' ? 'Confirm' : 'Refuse'}Order${decision.name}`,
          tags,
          summary,
          params: DeskOrderIdPath,
          body: DecideBody,
          response: { 200: Envelope(Decided) },
        },
      },
      async ({ params, body, staff }) => {
        const order = await mustFind(deps, params.order_id, staff)
        await mustBeAbout(deps, order.id, kind, body.approval_id)
        const approvalId = body.approval_id.toLowerCase()
        await decide({ approvalId, person: staff.person, note: body.evidence.trim() })
        return ok({ state, approval_id: approvalId })
      },
    )
  }
}
