import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import { formatGhs, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { Uuid } from '../../platform/http/schemas.ts'
import { type Actor, operation } from '../../platform/operations/operation.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { askOrderNow } from '../manual/ask-order-now.ts'
import { explainNoRefund, refundByPerson } from '../manual/refund-by-person.ts'
import { listOrdersById, type Order } from '../order.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'
import {
  changingOrder,
  describeOrders,
  findOrderBy,
  mustFindOrder,
  orderDecisionOperations,
} from './order-decisions.operations.ts'
import { OrderId } from './order-desk.schemas.ts'
import { orderReportOperations } from './order-reports.operations.ts'
import { PrintedOrder, readPrinted } from './printed-order.ts'

type Products = readonly ProductFacts[]

/** @throws OperatorRequestError with the reason when it cannot be refunded */
async function refund(db: Db, products: Products, order: Order, { actor }: Actor): Promise<void> {
  const product = productOf(products, order.kind)
  if (await refundByPerson(db, product, order, actor)) return
  const whyNot = explainNoRefund(product, await mustFindOrder(db, order.id))
  throw new OperatorRequestError(whyNot.why, whyNot)
}

const Orders = Type.Object({ orders: Type.Array(PrintedOrder) })

const printing = (products: Products) => ({
  find: findOrderBy(products),
  input: Type.Object({ orderId: OrderId }),
  printed: Orders,
  text: describeOrders,
})

const readOrders = async (db: Db, products: Products, id: string, lead = '') => ({
  orders: [await readPrinted(db, products, id)],
  lead,
})

function readingAndAsking(products: Products) {
  return [
    operation({
      ...printing(products),
      command: 'order show <order-id>',
      example: 'makola order show my-first-order',
      summary: 'Show one order with its history, attempts and what suppliers said',
      output: Orders,
      act: ({ db }, _actor, { orderId }) => readOrders(db, products, orderId),
    }),
    operation({
      ...printing(products),
      command: 'order ask <order-id>',
      example: 'makola order ask my-first-order',
      summary: 'Let the worker take the next step for an open order at once',
      output: Orders,
      async act({ db }, { actor }, { orderId }) {
        const order = await mustFindOrder(db, orderId)
        if (await askOrderNow(db, order, actor)) return readOrders(db, products, orderId, 'The worker takes the next step now.\n')
        const why = `Order ${order.reference} is ${order.status}: it has ended or waits for a person, so there is nothing to ask.`
        throw new OperatorRequestError(why)
      },
    }),
    operation({
      route: 'POST /ask-orders',
      operationId: 'deskAskOrders',
      tag: 'Orders',
      permission: 'settle_orders',
      summary: 'Let the worker take the next step for these orders at once',
      input: Type.Object({ orderIds: Type.Array(OrderId, { minItems: 1, maxItems: 100, uniqueItems: true }) }),
      output: Type.Object(
        { asked: Type.Array(Uuid()), notAsked: Type.Array(Uuid(), { description: 'These have ended or wait for people.' }) },
        { title: 'DeskOrdersAsked' },
      ),
      async act({ db }, { actor }, { orderIds }) {
        const ids = orderIds.map((id) => id.toLowerCase())
        const orders = await listOrdersById(db, ids)
        const asked: string[] = []
        for (const order of orders.values()) if (await askOrderNow(db, order, actor)) asked.push(order.id)
        return { asked, notAsked: orderIds.filter((id) => !asked.includes(id.toLowerCase())) }
      },
    }),
  ]
}

function refunding(products: Products) {
  return [
    operation({
      ...changingOrder,
      ...printing(products),
      command: 'order refund <order-id>',
      by: 'optional',
      route: 'POST /orders/:order_id/refund',
      operationId: 'deskRefundOrder',
      permission: 'manage_money',
      summary: 'Refund a failed order that was not refunded by itself',
      description: 'Once: the ledger refuses a second refund of an order, so a repeat is refused and moves nothing.',
      output: Type.Object({ amount: Ghs({ description: 'In GHS.' }) }, { title: 'DeskOrderRefunded' }),
      async act({ db }, actor, { orderId }) {
        const order = await mustFindOrder(db, orderId)
        await refund(db, products, order, actor)
        return { amount: order.price }
      },
      print: ({ db }, { amount }, { orderId }) => readOrders(db, products, orderId, `Refunded ${formatGhs(pesewas(amount))}.\n`),
    }),
  ]
}

export const orderOperations = (products: Products) => [
  ...readingAndAsking(products),
  ...refunding(products),
  ...orderDecisionOperations(products),
  ...orderReportOperations(products),
]
