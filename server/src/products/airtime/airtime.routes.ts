import type { Intake } from '../../orders/intake/place-orders.ts'
import type { FindOrder } from '../../orders/queries/find-order.ts'
import { listNewestOrders } from '../../orders/queries/list-newest-orders.ts'
import { findRefundReason } from '../../orders/settlement/explain-refund.ts'
import type { Db } from '../../platform/database/database.ts'
import { linkTo } from '../../platform/http/document/link-to.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import {
  AirtimeOrder,
  AirtimeOrderList,
  AirtimePurchase,
  AirtimePurchaseBody,
  AirtimeReferenceParams,
} from './airtime.schemas.ts'
import { airtimeLimits, airtimeSwitchedOff } from './airtime.settings.ts'
import { type AirtimeDeps, purchaseAirtime } from './purchase-airtime.ts'
import { viewAirtimeOrder, viewAirtimePurchase, viewListedAirtimeOrder } from './view-airtime-order.ts'

type AirtimeRouteDeps = AirtimeDeps & { readonly intake: Intake; readonly db: Db; readonly findOrder: FindOrder }

export function registerAirtimeRoutes(api: Api, deps: AirtimeRouteDeps): void {
  registerPurchase(api, deps)
  registerOrderList(api, deps)
  registerOrderByReference(api, deps)
}

function registerPurchase(api: Api, deps: AirtimeRouteDeps): void {
  api.post(
    '/airtime/purchase',
    {
      config: { keyType: 'commission', limit: airtimeLimits.purchase, refusals: [400, 409, airtimeSwitchedOff] },
      links: linkTo('findAirtimeOrder', 'reference', 'reference'),
      schema: {
        tags: ['Airtime'],
        operationId: 'purchaseAirtime',
        summary: 'Buy airtime',
        description:
          'The beneficiary receives exactly what is paid; there is no fee. The wallet is debited when the order is accepted and the airtime is sent in the background: poll GET /airtime/orders/{reference}. A repeat with the same reference and body returns the original order and charges nothing; its answer carries `Idempotent-Replayed: true`. Lifetime agents and dealers earn a share of the commission, credited to the Commission Wallet when the order is completed.',
        body: AirtimePurchaseBody,
        response: { 200: Envelope(AirtimePurchase) },
      },
    },
    async (request, reply) => {
      const { order, isReplay, balancePesewas } = await purchaseAirtime(deps, request.caller, request.body)
      if (isReplay) reply.header('Idempotent-Replayed', 'true')
      const reason = await findRefundReason(deps.db, order)
      return ok(viewAirtimePurchase(order, balancePesewas, reason))
    },
  )
}

function registerOrderList(api: Api, deps: AirtimeRouteDeps): void {
  api.get(
    '/airtime/orders',
    {
      config: { keyType: 'commission', limit: airtimeLimits.orders },
      schema: {
        tags: ['Airtime'],
        operationId: 'listAirtimeOrders',
        summary: 'List the newest airtime orders',
        description: 'At most 30, newest first.',
        response: { 200: Envelope(AirtimeOrderList) },
      },
    },
    async (request) => {
      const orders = await listNewestOrders(deps.db, { accountId: request.caller.accountId, kind: 'airtime' })
      return ok({ orders: orders.map(viewListedAirtimeOrder) })
    },
  )
}

function registerOrderByReference(api: Api, deps: AirtimeRouteDeps): void {
  api.get(
    '/airtime/orders/:reference',
    {
      config: { keyType: 'commission', limit: airtimeLimits.order, refusals: [refusals.orderNotFound] },
      schema: {
        tags: ['Airtime'],
        operationId: 'findAirtimeOrder',
        summary: 'Read an airtime order by its reference',
        params: AirtimeReferenceParams,
        response: { 200: Envelope(AirtimeOrder) },
      },
    },
    async (request) => {
      const { accountId } = request.caller
      const order = await deps.findOrder({ accountId, kind: 'airtime', reference: request.params.reference })
      if (!order) throw new RefusalError(refusals.orderNotFound)
      const reason = await findRefundReason(deps.db, order)
      return ok({ ...viewAirtimeOrder(order), ...(reason === undefined ? {} : { reason }) })
    },
  )
}
