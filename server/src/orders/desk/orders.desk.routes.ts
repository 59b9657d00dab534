import { Readable } from 'node:stream'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import { listOrdersById } from '../order.ts'
import { listOrders } from '../queries/list-orders.ts'
import { writeOrderList } from '../queries/write-order-list.ts'
import {
  DeskOrder,
  DeskOrderCalls,
  DeskOrderChoices,
  DeskOrderFilters,
  DeskOrderIdPath,
  DeskOrderPage,
  DeskOrderPath,
  DeskOrderQuery,
} from './order-desk.schemas.ts'
import { deskOrderOf, readDeskOrder, readOrderCalls } from './read-desk-order.ts'
import { type DeskOrderDeps, type OrderFiltersOfDesk as Filters, readDeskQuery } from './read-desk-query.ts'

const tags = ['Orders']

const pageOrders = 50

async function* writeTexts({ db, products, ...deps }: DeskOrderDeps, filters: Filters): AsyncGenerator<string> {
  const query = await readDeskQuery({ db, products, ...deps }, filters)
  for await (const { text } of writeOrderList(db, products, query)) yield text
}

function registerLists(desk: Api, deps: DeskOrderDeps): void {
  const { db, products } = deps
  desk.get(
    '/orders',
    {
      config: { permission: 'see', refusals: [409] },
      schema: {
        operationId: 'deskListOrders',
        tags,
        summary: 'Orders of all accounts, newest first; stuck ones oldest first',
        querystring: DeskOrderQuery,
        response: { 200: Envelope(DeskOrderPage) },
      },
    },
    async ({ query: { after, ...filters } }) => {
      const query = await readDeskQuery(deps, filters)
      const page = await listOrders(db, products, { ...query, limit: pageOrders, ...(after !== undefined && { after }) })
      return ok({ orders: page.orders.map((order) => deskOrderOf(products, order)), next: page.next })
    },
  )
  desk.get(
    '/orders.csv',
    {
      config: { exportedAs: 'orders export', permission: 'see', refusals: [409] },
      schema: {
        operationId: 'deskExportOrders',
        tags,
        summary: 'All orders that fit the filters, as a file',
        querystring: DeskOrderFilters,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ query }, reply) => {
      // The filters are read once before the file begins, because an unknown account can only be refused then.
      await readDeskQuery(deps, query)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="orders.csv"')
        .send(Readable.from(writeTexts(deps, query)))
    },
  )
}

function registerChoices(desk: Api, { db, products }: DeskOrderDeps): void {
  desk.get(
    '/order-choices',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskReadOrderChoices',
        tags,
        summary: 'What the filters of the list of orders can be set to',
        response: { 200: Envelope(DeskOrderChoices) },
      },
    },
    async () => {
      const routes = await db
        .selectFrom('routes')
        .select('network')
        .distinct()
        .where('network', '<>', '')
        .orderBy('network')
        .execute()
      const suppliers = await db.selectFrom('suppliers').select('name').orderBy('name').execute()
      return ok({
        products: products.map(({ name, title }) => ({ name, title })),
        networks: routes.map(({ network }) => network),
        suppliers: suppliers.map(({ name }) => name),
      })
    },
  )
}

function registerOne(desk: Api, deps: DeskOrderDeps): void {
  desk.get(
    '/orders/:order',
    {
      config: { permission: 'see', refusals: [refusals.orderNotFound] },
      schema: {
        operationId: 'deskReadOrder',
        tags,
        summary: 'Everything that is known of an order',
        params: DeskOrderPath,
        response: { 200: Envelope(DeskOrder) },
      },
    },
    async ({ params, staff }) => {
      const order = await readDeskOrder(deps, params.order, staff.person.by)
      if (!order) throw new RefusalError(refusals.orderNotFound)
      return ok(order)
    },
  )
}

function registerCalls(desk: Api, { db }: DeskOrderDeps): void {
  desk.get(
    '/orders/:order_id/calls',
    {
      config: { permission: 'see', refusals: [refusals.orderNotFound] },
      schema: {
        operationId: 'deskReadOrderCalls',
        tags,
        summary: 'What the reseller’s program called about an order, out of the request log',
        params: DeskOrderIdPath,
        response: { 200: Envelope(DeskOrderCalls) },
      },
    },
    async ({ params }) => {
      const id = params.order_id.toLowerCase()
      const order = (await listOrdersById(db, [id])).get(id)
      if (!order) throw new RefusalError(refusals.orderNotFound)
      return ok(await readOrderCalls(db, order))
    },
  )
}

/** @param deps lists are read from `readDb`, one order from `db` */
export function registerOrderDeskRoutes(desk: Api, deps: DeskOrderDeps & { readonly readDb: Db }): void {
  registerLists(desk, { ...deps, db: deps.readDb })
  registerChoices(desk, deps)
  registerOne(desk, deps)
  registerCalls(desk, deps)
}
