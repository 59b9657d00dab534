import { Readable } from 'node:stream'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import { listOrdersById } from '../order.ts'
import { isReportable, notReportable, reportOrder } from '../order-reports/report-order.ts'
import { findOrdersByReference } from './find-account-orders.ts'
import { listAccountOrders, orderLineOf, writeOrdersCsv } from './list-account-orders.ts'
import {
  AccountOrder,
  OrderFilters,
  OrderIdPath,
  OrderListQuery,
  OrderPageView,
  OrderPath,
  OrderReportView,
  OrderStates,
  OrderStatesBody,
  ReportBody,
} from './order-member.schemas.ts'
import { type AccountOrderReadDeps, readAccountOrder } from './read-account-order.ts'

const pageOrders = 50

/** The CSV file is read from `readDb`. */
type ListDeps = AccountOrderReadDeps & { readonly readDb: Db }

function registerLists(api: Api, deps: ListDeps): void {
  api.get(
    '/orders',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'listOrders',
        tags: ['Orders'],
        summary: 'List the orders of all products, newest first',
        querystring: OrderListQuery,
        response: { 200: Envelope(OrderPageView) },
      },
    },
    async ({ membership, query: { after, ...filters } }) => {
      const page = await listAccountOrders(deps, membership.accountId, { filters, after, limit: pageOrders })
      return ok({ orders: page.orders.map(orderLineOf), next: page.next })
    },
  )
  api.get(
    '/orders.csv',
    {
      config: { exportedAs: 'orders export', permission: 'look' },
      schema: {
        operationId: 'exportOrders',
        tags: ['Orders'],
        summary: 'All orders that fit the filters, as a file',
        querystring: OrderFilters,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ membership, query }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="orders.csv"')
        .send(Readable.from(writeOrdersCsv({ ...deps, db: deps.readDb }, membership.accountId, query))),
  )
}

function registerStates(api: Api, { db }: AccountOrderReadDeps): void {
  api.post(
    '/orders/states',
    {
      config: { changesNothing: true, permission: 'look' },
      schema: {
        operationId: 'readOrderStates',
        tags: ['Orders'],
        summary: 'The states of some orders now',
        body: OrderStatesBody,
        response: { 200: Envelope(OrderStates) },
      },
    },
    async ({ membership, body }) => {
      const referred = await findOrdersByReference(db, membership.accountId, body.references ?? [])
      const orders = [...(await listOrdersById(db, body.orderIds.concat(referred))).values()]
      const own = orders.filter(({ accountId }) => accountId === membership.accountId)
      return ok({ orders: own.map(({ id: orderId, status, recipient }) => ({ orderId, status, recipient })) })
    },
  )
}

function registerOne(api: Api, deps: AccountOrderReadDeps): void {
  api.get(
    '/orders/:order',
    {
      config: { permission: 'look', refusals: [refusals.orderNotFound] },
      schema: {
        operationId: 'readOrder',
        tags: ['Orders'],
        summary: 'Read an order with everything that happened to it',
        params: OrderPath,
        response: { 200: Envelope(AccountOrder) },
      },
    },
    async ({ membership, params }) => {
      const order = await readAccountOrder(deps, { accountId: membership.accountId, name: params.order })
      if (!order) throw new RefusalError(refusals.orderNotFound)
      return ok(order)
    },
  )
  api.post(
    '/orders/:order_id/report',
    {
      config: { permission: 'buy', refusals: [refusals.orderNotFound, notReportable] },
      schema: {
        operationId: 'reportOrder',
        tags: ['Orders'],
        summary: 'Say that an order was not delivered',
        description: 'Once per order: a repeat changes nothing. The operator answers; an open order is asked about at once.',
        params: OrderIdPath,
        body: ReportBody,
        response: { 200: Envelope(OrderReportView) },
      },
    },
    async ({ membership, params, body, person }) => {
      const id = params.orderId.toLowerCase()
      const order = (await listOrdersById(deps.db, [id])).get(id)
      if (order?.accountId !== membership.accountId) throw new RefusalError(refusals.orderNotFound)
      if (!isReportable(deps.products, order)) throw new RefusalError(notReportable)
      return ok(await reportOrder(deps.db, order, { reason: body.reason, actor: person.email }))
    },
  )
}

export function registerOrderMemberRoutes(api: Api, deps: ListDeps): void {
  registerLists(api, deps)
  registerStates(api, deps)
  registerOne(api, deps)
}
