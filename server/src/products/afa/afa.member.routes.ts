import Type from 'typebox'
import { pricingRole } from '../../accounts/caller.ts'
import { ghs, pesewas } from '../../money/pesewas.ts'
import { readWallet } from '../../money/wallets.ts'
import type { FindOrder } from '../../orders/queries/find-order.ts'
import { ShownPrice, shownPriceOf } from '../../orders/shown-price.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { OneOf } from '../../platform/http/schemas.ts'
import { readFee } from './afa.kind.ts'
import { viewAfaOrder } from './afa.routes.ts'
import { AfaOrder, AfaReferenceParams, AfaRegisterBody, AfaRegistration, afaRegions } from './afa.schemas.ts'
import { afaEnabled, afaSwitchedOff } from './afa.settings.ts'
import { type AfaDeps, registerAfa } from './register-afa.ts'

const AfaShop = Type.Object(
  {
    is_on: Type.Boolean({ description: 'False while the operator takes no registrations.' }),
    fee: Type.Number({ description: 'What one registration costs the account, in GHS.' }),
    regions: Type.Array(OneOf(afaRegions)),
    balance: Type.Number({ description: 'The wallet now, in GHS.' }),
  },
  { title: 'AfaShop' },
)

const AfaRegisterByPerson = Type.Object({ ...AfaRegisterBody.properties, price: ShownPrice }, { title: 'AfaRegisterByPerson' })

export function registerAfaMemberRoutes(app: Api, deps: AfaDeps & { readonly findOrder: FindOrder }): void {
  app.get(
    '/afa',
    {
      config: { permission: 'buy' },
      schema: {
        operationId: 'readAfaShop',
        tags: ['Buy'],
        summary: 'What a registration for AFA costs',
        response: { 200: Envelope(AfaShop) },
      },
    },
    async ({ purchaser }) => {
      const role = pricingRole(purchaser.role, purchaser.roleExpiresAt, deps.epoch.databaseNow())
      const [isOn, fee, wallet] = await Promise.all([
        deps.settings.read(afaEnabled),
        readFee(deps.db, role),
        readWallet(deps.db, { accountId: purchaser.accountId, purse: 'main' }),
      ])
      return ok({ is_on: isOn, fee: ghs(fee), regions: [...afaRegions], balance: ghs(pesewas(wallet.balance)) })
    },
  )
  registerRegistration(app, deps)
  app.get(
    '/afa/orders/:reference',
    {
      config: { permission: 'buy', refusals: [refusals.orderNotFound] },
      schema: {
        operationId: 'findAfaOrder',
        tags: ['Buy'],
        summary: 'Find a registration by its reference, after a lost answer',
        params: AfaReferenceParams,
        response: { 200: Envelope(AfaOrder) },
      },
    },
    async ({ purchaser, params }) => {
      const order = await deps.findOrder({ accountId: purchaser.accountId, kind: 'afa', reference: params.reference })
      if (!order) throw new RefusalError(refusals.orderNotFound)
      return ok(viewAfaOrder(order))
    },
  )
}

function registerRegistration(app: Api, deps: AfaDeps): void {
  app.post(
    '/afa/register',
    {
      config: {
        permission: 'buy',
        limit: { name: 'POST /app/api/afa/register', perMinute: 30 },
        refusals: [400, refusals.priceChanged('GHS 15.00'), afaSwitchedOff],
      },
      schema: {
        operationId: 'registerAfa',
        tags: ['Buy'],
        summary: 'Register a customer for AFA',
        description:
          'As `POST /api/v2/afa/register`: a taken reference always answers 409, so after a lost answer the reference is looked up.',
        body: AfaRegisterByPerson,
        response: { 200: Envelope(AfaRegistration) },
      },
    },
    async ({ purchaser, body }) => {
      const { order, balancePesewas } = await registerAfa(deps, purchaser, body, shownPriceOf(body))
      const { id: order_id, ...rest } = viewAfaOrder(order)
      return ok({ order_id, ...rest, new_balance: ghs(balancePesewas) })
    },
  )
}
