import { ghs, pesewas } from '../../money/pesewas.ts'
import { type Order, pesewasOf } from '../../orders/order.ts'
import type { FindOrder } from '../../orders/queries/find-order.ts'
import { listNewestOrders } from '../../orders/queries/list-newest-orders.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { linkTo } from '../../platform/http/document/link-to.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { listVoucherTypes } from './list-voucher-types.ts'
import { purchaseVouchers, type ResultsCheckerDeps } from './purchase-vouchers.ts'
import { readVoucherDetails, resultsCheckerFacts } from './results-checker.kind.ts'
import { voucherRefusals } from './results-checker.refusals.ts'
import {
  VoucherOrderList,
  type VoucherOrderStatus,
  VoucherPurchase,
  VoucherPurchaseBody,
  VoucherRecall,
  VoucherReferenceParams,
  VoucherTypeList,
} from './results-checker.schemas.ts'
import { voucherLimits, vouchersSwitchedOff } from './results-checker.settings.ts'
import { listVouchersOfOrder, type UnsealedVoucher } from './unseal-vouchers.ts'

/** An order of vouchers as its owner sees it (contract, Results checker). */
export function viewVoucherOrder(order: Order) {
  const details = readVoucherDetails(order)
  return {
    id: order.id,
    reference: order.reference,
    status: order.status as VoucherOrderStatus,
    type_name: details.typeName,
    quantity: details.quantity,
    unit_price: ghs(pesewas(details.unitPricePesewas)),
    total_paid: ghs(pesewasOf(resultsCheckerFacts, order)),
  }
}

export function viewVoucher({ id, pin, serialNumber }: UnsealedVoucher) {
  return { id, pin, serial_number: serialNumber }
}

type ResultsCheckerRouteDeps = ResultsCheckerDeps & { readonly epoch: Epoch; readonly findOrder: FindOrder }

export function registerResultsCheckerRoutes(api: Api, deps: ResultsCheckerRouteDeps): void {
  registerTypeList(api, deps)
  registerPurchase(api, deps)
  registerOrderList(api, deps)
  registerRecall(api, deps)
}

function registerTypeList(api: Api, deps: ResultsCheckerRouteDeps): void {
  api.get(
    '/resultschecker/types',
    {
      config: { keyType: 'standard', limit: voucherLimits.types },
      schema: {
        tags: ['Results checker'],
        operationId: 'listVoucherTypes',
        summary: 'List the voucher types',
        description: 'At the prices of your role, with the stock at this moment.',
        response: { 200: Envelope(VoucherTypeList) },
      },
    },
    async (request) => ok(await listVoucherTypes(deps, request.caller)),
  )
}

function registerPurchase(api: Api, deps: ResultsCheckerRouteDeps): void {
  api.post(
    '/resultschecker/purchase',
    {
      config: {
        keyType: 'standard',
        limit: voucherLimits.purchase,
        refusals: [400, voucherRefusals.voucherTypeNotFound, 409, vouchersSwitchedOff],
      },
      links: linkTo('recallVouchers', 'reference', 'order/reference'),
      schema: {
        tags: ['Results checker'],
        operationId: 'purchaseVouchers',
        summary: 'Buy vouchers',
        description:
          'The vouchers come back in this answer. When the stock is shorter than `quantity`, nothing is sold or charged (400). A repeat with the same reference and body returns the same vouchers and charges nothing; its answer carries `Idempotent-Replayed: true`. With `recipientPhone` or `recipientEmail` the vouchers are also sent there, at most once; without them nothing is sent.',
        body: VoucherPurchaseBody,
        response: { 200: Envelope(VoucherPurchase) },
      },
    },
    async (request, reply) => {
      const { order, vouchers, isReplay, balancePesewas } = await purchaseVouchers(deps, request.caller, request.body)
      if (isReplay) reply.header('Idempotent-Replayed', 'true')
      return ok({ order: viewVoucherOrder(order), vouchers: vouchers.map(viewVoucher), new_balance: ghs(balancePesewas) })
    },
  )
}

function registerOrderList(api: Api, deps: ResultsCheckerRouteDeps): void {
  api.get(
    '/resultschecker/orders',
    {
      config: { keyType: 'standard', limit: voucherLimits.orders },
      schema: {
        tags: ['Results checker'],
        operationId: 'listVoucherOrders',
        summary: 'List the newest orders of vouchers',
        description: 'At most 30, newest first, without the vouchers themselves.',
        response: { 200: Envelope(VoucherOrderList) },
      },
    },
    async (request) => {
      const orders = await listNewestOrders(deps.db, { accountId: request.caller.accountId, kind: 'results_checker' })
      return ok({ orders: orders.map(viewVoucherOrder) })
    },
  )
}

function registerRecall(api: Api, deps: ResultsCheckerRouteDeps): void {
  api.get(
    '/resultschecker/orders/:reference',
    {
      config: { keyType: 'standard', limit: voucherLimits.order, refusals: [refusals.orderNotFound] },
      schema: {
        tags: ['Results checker'],
        operationId: 'recallVouchers',
        summary: 'Read an order with its vouchers again',
        params: VoucherReferenceParams,
        response: { 200: Envelope(VoucherRecall) },
      },
    },
    async (request) => {
      const { accountId } = request.caller
      const order = await deps.findOrder({ accountId, kind: 'results_checker', reference: request.params.reference })
      if (!order) throw new RefusalError(refusals.orderNotFound)
      const vouchers = await listVouchersOfOrder(deps.db, deps.secretsKeys, order.id)
      return ok({ order: viewVoucherOrder(order), vouchers: vouchers.map(viewVoucher) })
    },
  )
}
