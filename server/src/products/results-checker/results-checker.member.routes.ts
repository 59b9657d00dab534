import Type from 'typebox'
import { ghs, pesewas } from '../../money/pesewas.ts'
import { readWallet } from '../../money/wallets.ts'
import { listOrdersById } from '../../orders/order.ts'
import { ShownPrice, shownPriceOf } from '../../orders/shown-price.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { Nullable, Uuid } from '../../platform/http/schemas.ts'
import { listVoucherTypes } from './list-voucher-types.ts'
import { purchaseVouchers, type ResultsCheckerDeps } from './purchase-vouchers.ts'
import { resultsCheckerFacts } from './results-checker.kind.ts'
import { voucherRefusals } from './results-checker.refusals.ts'
import { viewVoucher, viewVoucherOrder } from './results-checker.routes.ts'
import { VoucherPurchase, VoucherPurchaseBody, VoucherRecall, VoucherTypeList } from './results-checker.schemas.ts'
import { resultsCheckerEnabled, resultsCheckerMaxQuantity, vouchersSwitchedOff } from './results-checker.settings.ts'
import { listVouchersOfOrder } from './unseal-vouchers.ts'

const VoucherShop = Type.Object(
  {
    ...VoucherTypeList.properties,
    is_on: Type.Boolean({ description: 'False while the operator has switched the sale of vouchers off.' }),
    max_quantity: Nullable(Type.Integer({ description: 'The most vouchers of one purchase; null: what is in stock.' })),
    balance: Type.Number({ description: 'The wallet now, in GHS.' }),
  },
  { title: 'VoucherShop' },
)

const VoucherPurchaseByPerson = Type.Object(
  { ...VoucherPurchaseBody.properties, price: ShownPrice },
  { title: 'VoucherPurchaseByPerson' },
)

type VoucherMemberDeps = ResultsCheckerDeps & { readonly epoch: Epoch }

/** Shows the vouchers of an order again, but not to members who may only look: a PIN is as good as money. */
function registerVouchersOfOrder(app: Api, deps: VoucherMemberDeps): void {
  app.get(
    '/orders/:order_id/vouchers',
    {
      config: { permission: 'buy', refusals: [refusals.orderNotFound] },
      schema: {
        operationId: 'readVouchersOfOrder',
        tags: ['Orders'],
        summary: 'Read the vouchers of an order again',
        params: Type.Object({ order_id: Uuid() }),
        response: { 200: Envelope(VoucherRecall) },
      },
    },
    async ({ membership, params }) => {
      const id = params.order_id.toLowerCase()
      const order = (await listOrdersById(deps.db, [id])).get(id)
      if (order?.accountId !== membership.accountId || order.kind !== resultsCheckerFacts.name) {
        throw new RefusalError(refusals.orderNotFound)
      }
      const vouchers = await listVouchersOfOrder(deps.db, deps.secretsKeys, order.id)
      return ok({ order: viewVoucherOrder(order), vouchers: vouchers.map(viewVoucher) })
    },
  )
}

export function registerResultsCheckerMemberRoutes(app: Api, deps: VoucherMemberDeps): void {
  registerVouchersOfOrder(app, deps)
  app.get(
    '/vouchers',
    {
      config: { permission: 'buy' },
      schema: {
        operationId: 'readVoucherShop',
        tags: ['Buy'],
        summary: 'The voucher types at the prices of the account, with their stock',
        response: { 200: Envelope(VoucherShop) },
      },
    },
    async ({ purchaser }) => {
      const [isOn, maxQuantity, wallet, list] = await Promise.all([
        deps.settings.read(resultsCheckerEnabled),
        deps.settings.read(resultsCheckerMaxQuantity),
        readWallet(deps.db, { accountId: purchaser.accountId, purse: 'main' }),
        listVoucherTypes(deps, purchaser),
      ])
      return ok({ ...list, is_on: isOn, max_quantity: maxQuantity, balance: ghs(pesewas(wallet.balance)) })
    },
  )
  app.post(
    '/vouchers/purchase',
    {
      config: {
        permission: 'buy',
        limit: { name: 'POST /app/api/vouchers/purchase', perMinute: 30 },
        refusals: [400, voucherRefusals.voucherTypeNotFound, refusals.priceChanged('GHS 19.00'), vouchersSwitchedOff],
      },
      schema: {
        operationId: 'buyVouchers',
        tags: ['Buy'],
        summary: 'Buy vouchers',
        description:
          'As `POST /api/v2/resultschecker/purchase`: the vouchers come back in this answer, and a repeat with the same reference and body gives the same ones. `price` is what all of them cost.',
        body: VoucherPurchaseByPerson,
        response: { 200: Envelope(VoucherPurchase) },
      },
    },
    async ({ purchaser, body }, reply) => {
      const { order, vouchers, isReplay, balancePesewas } = await purchaseVouchers(deps, purchaser, body, shownPriceOf(body))
      if (isReplay) reply.header('Idempotent-Replayed', 'true')
      return ok({ order: viewVoucherOrder(order), vouchers: vouchers.map(viewVoucher), new_balance: ghs(balancePesewas) })
    },
  )
}
