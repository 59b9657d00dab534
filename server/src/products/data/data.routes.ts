import type { FastifyReply } from 'fastify'
import { ghs } from '../../money/pesewas.ts'
import type { Intake } from '../../orders/intake/place-orders.ts'
import { type Order, pesewasOf } from '../../orders/order.ts'
import type { FindOrder } from '../../orders/queries/find-order.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { linkTo } from '../../platform/http/document/link-to.ts'
import { Envelope, ok, sendJson } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { dataKind, readDataDetails } from './data.kind.ts'
import { dataRefusals } from './data.refusals.ts'
import {
  DataBulk,
  DataBulkBody,
  DataOrder,
  DataPurchase,
  DataPurchaseBody,
  OrderReferenceParams,
  PackageList,
  PackageQuery,
} from './data.schemas.ts'
import { dataLimits, dataSwitchedOff } from './data.settings.ts'
import { createPackageLists } from './list-packages.ts'
import { type DataDeps, purchaseData } from './purchase-data.ts'
import { type DataBatch, purchaseDataBatch } from './purchase-data-batch.ts'

/** Sets the header of a replay: this call placed and charged nothing (decision A2: what a replay answers). */
function markReplay(reply: FastifyReply, isReplay: boolean): void {
  if (isReplay) reply.header('Idempotent-Replayed', 'true')
}

type DataRouteDeps = DataDeps & { readonly intake: Intake; readonly epoch: Epoch; readonly findOrder: FindOrder }

export function registerDataRoutes(api: Api, deps: DataRouteDeps): void {
  registerPackageList(api, deps)
  registerPurchase(api, deps)
  registerBulkPurchase(api, deps)
  registerOrderByReference(api, deps)
}

function registerPackageList(api: Api, deps: DataRouteDeps): void {
  const listPackages = createPackageLists(deps)
  api.get(
    '/packages',
    {
      config: { keyType: 'standard', limit: dataLimits.packages },
      schema: {
        tags: ['Data bundles'],
        operationId: 'listPackages',
        summary: 'List the packages on sale',
        description: 'Call it first to learn which combinations of network and size can be bought, at the prices of your role.',
        querystring: PackageQuery,
        response: { 200: Envelope(PackageList) },
      },
    },
    async (request, reply) => sendJson(reply, await listPackages(request.caller, request.query)),
  )
}

function registerPurchase(api: Api, deps: DataRouteDeps): void {
  api.post(
    '/data/purchase',
    {
      config: {
        keyType: 'standard',
        limit: dataLimits.purchase,
        refusals: [400, dataRefusals.packageNotFound, 409, dataSwitchedOff],
      },
      links: linkTo('findDataOrder', 'reference', 'reference'),
      schema: {
        tags: ['Data bundles'],
        operationId: 'purchaseData',
        summary: 'Buy a data bundle',
        description:
          'The wallet is debited when the order is accepted; poll GET /orders/{reference} for its delivery. An MTN number that is not registered yet is registered first: the order is `queued` until then, or refused with 409 where we have switched the whitelist gate on. A repeat with the same reference and body returns the original order and charges nothing; its answer carries `Idempotent-Replayed: true`.',
        body: DataPurchaseBody,
        response: { 200: Envelope(DataPurchase) },
      },
    },
    async (request, reply) => {
      const { order, isReplay, balancePesewas } = await purchaseData(deps, request.caller, request.body)
      markReplay(reply, isReplay)
      return ok({ ...viewDataOrder(order), new_balance: ghs(balancePesewas) })
    },
  )
}

function registerBulkPurchase(api: Api, deps: DataRouteDeps): void {
  api.post(
    '/data/bulk',
    {
      config: {
        keyType: 'standard',
        limit: dataLimits.bulk,
        refusals: [400, dataRefusals.packageNotFound, 409, dataSwitchedOff],
      },
      schema: {
        tags: ['Data bundles'],
        operationId: 'purchaseDataBatch',
        summary: 'Buy up to 100 data bundles at once',
        description:
          'All orders are placed and charged together, or none. Where we have switched the whitelist gate on, an MTN order whose number is not registered yet is left out instead: it is not charged and stands in `skipped`. Entries whose reference was placed before with the same body are answered with that order and are not charged again.',
        body: DataBulkBody,
        response: { 200: Envelope(DataBulk) },
      },
    },
    async (request, reply) => {
      const batch = await purchaseDataBatch(deps, request.caller, request.body)
      markReplay(reply, isWholeReplay(batch))
      return ok(viewDataBatch(batch))
    },
  )
}

function registerOrderByReference(api: Api, deps: DataRouteDeps): void {
  api.get(
    '/orders/:reference',
    {
      config: { keyType: 'standard', limit: dataLimits.order, refusals: [refusals.orderNotFound] },
      schema: {
        tags: ['Data bundles'],
        operationId: 'findDataOrder',
        summary: 'Read a data order by its reference',
        params: OrderReferenceParams,
        response: { 200: Envelope(DataOrder) },
      },
    },
    async (request) => {
      const { reference } = request.params
      const order = await deps.findOrder({ accountId: request.caller.accountId, kind: 'data', reference })
      if (!order) throw new RefusalError(refusals.orderNotFound)
      return ok({ ...viewDataOrder(order), created_at: order.createdAt.toISOString() })
    },
  )
}

type DataStatus = 'pending' | 'queued' | 'processing' | 'completed' | 'failed' | 'refunded'

/** A data order as its owner sees it (contract, Data order). */
export function viewDataOrder(order: Order) {
  const details = readDataDetails(order)
  return {
    order_id: order.id,
    reference: order.reference,
    status: order.status as DataStatus,
    network: details.network,
    size: details.size,
    recipient: order.recipient,
    price: ghs(pesewasOf(dataKind, order)),
    source: order.source,
  }
}

/** True when a batch placed and charged nothing, because all its orders had been placed before. */
export function isWholeReplay({ placements, skipped }: DataBatch): boolean {
  return skipped.length === 0 && placements.every(({ isReplay }) => isReplay)
}

/** The outcome of a batch as its owner sees it (contract, POST /data/bulk). */
export function viewDataBatch({ placements, skipped, chargedPesewas, balancePesewas }: DataBatch) {
  return {
    orders_placed: placements.length,
    total_cost: ghs(chargedPesewas),
    new_balance: ghs(balancePesewas),
    orders: placements.map(({ order, isReplay }) => ({
      ...viewDataOrder(order),
      ...(isReplay ? { already_processed: true as const } : {}),
    })),
    skipped: [...skipped],
  }
}
