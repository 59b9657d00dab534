import Type from 'typebox'
import { viewAmount } from '../../money/amount.ts'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { limits } from '../../platform/http/limits/endpoint-limits.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { AskedMoment, Moment, Nullable, OneOf, sensitive, Uuid } from '../../platform/http/schemas.ts'
import { orderStatuses } from '../order-life-cycle.ts'
import type { ProductFacts } from '../product-facts.ts'
import { type ListedOrder, listOrders } from '../queries/list-orders.ts'
import type { RecipientForms } from '../queries/order-filters.ts'

type OrderListDeps = {
  readonly db: Db
  readonly facts: readonly ProductFacts[]
  readonly formsOfRecipient: (text: string) => Promise<RecipientForms>
}

const Product = (facts: readonly ProductFacts[], description: string) =>
  OneOf(
    facts.map(({ name }) => name),
    { description },
  )

const queryOf = (facts: readonly ProductFacts[]) =>
  Type.Object({
    product: Type.Optional(Product(facts, 'Only orders of this product.')),
    network: Type.Optional(
      Type.String({ maxLength: 40, description: 'Only orders on this network, or to this biller. Case-sensitive.' }),
    ),
    status: Type.Optional(OneOf(orderStatuses, { description: 'Only orders in this status now.' })),
    recipient: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 120,
        description: 'Only orders to this number, meter or smartcard. A phone number may be written in any way.',
      }),
    ),
    created_from: Type.Optional(AskedMoment({ description: 'Only orders placed at this moment or later.' })),
    created_before: Type.Optional(AskedMoment({ description: 'Only orders placed before this moment.' })),
    after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Orders on a page; 50 if it is left out.' })),
  })

const orderPageOf = (facts: readonly ProductFacts[]) =>
  Type.Object(
    {
      orders: Type.Array(
        Type.Object(
          {
            order_id: Uuid(),
            reference: Type.String(),
            product: Product(facts, 'What was bought.'),
            status: OneOf(orderStatuses),
            network: Nullable(Type.String({ description: 'The network, or the biller of a bill; null: neither.' })),
            package: Nullable(Type.String({ description: 'The size of a bundle or the type of a voucher; null: neither.' })),
            recipient: Type.String({ ...sensitive, description: 'Empty where the order has none.' }),
            price: Type.Number({ description: 'What was charged, in `unit`.', examples: [4.5] }),
            unit: OneOf(['GHS', 'credits'], { description: '`credits`: SMS credits.' }),
            created_at: Moment(),
          },
          { title: 'ListedOrder' },
        ),
      ),
      next: Nullable(Uuid({ description: 'Send it as `after` for the next page; null: this is the last one.' })),
    },
    { title: 'OrderPage' },
  )

function viewListedOrder(order: ListedOrder) {
  const { amount: price, unit } = viewAmount(order.price)
  return {
    order_id: order.id,
    reference: order.reference,
    product: order.kind,
    status: order.status,
    network: order.network,
    package: order.variety,
    recipient: order.recipient,
    price,
    unit,
    created_at: order.createdAt.toISOString(),
  }
}

/** Lists the account's orders of all products. This endpoint is not in the contract, but an addition of ours. */
export function registerOrderListRoute(api: Api, { db, facts, formsOfRecipient }: OrderListDeps): void {
  api.get(
    '/orders',
    {
      config: { keyType: 'standard', limit: limits.orders },
      schema: {
        tags: ['Lists'],
        operationId: 'listAllOrders',
        summary: 'List the orders of all products',
        description:
          'Newest first, in pages; also orders placed with other keys of the account or in the app. All filters that are sent must hold.',
        querystring: queryOf(facts),
        response: { 200: Envelope(orderPageOf(facts)) },
      },
    },
    async ({ caller: { accountId }, query }) => {
      const { created_from: from, created_before: before, recipient, limit = 50, ...filters } = query
      const page = await listOrders(db, facts, {
        ...filters,
        accountId,
        limit,
        ...(recipient !== undefined && (await formsOfRecipient(recipient.trim()))),
        ...(from !== undefined && { from: new Date(from) }),
        ...(before !== undefined && { before: new Date(before) }),
      })
      return ok({ orders: page.orders.map(viewListedOrder), next: page.next })
    },
  )
}
