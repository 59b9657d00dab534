import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { Nullable } from '../../platform/http/schemas.ts'
import { readProfit } from './read-profit.ts'
import { listOwnPrices, setOwnPrices } from './set-own-prices.ts'

/** In GHS. Larger amounts of several orders could not be added up exactly. */
const amountMax = 1_000_000

const OwnPrice = Type.Object(
  {
    product: Type.String({ maxLength: 40, examples: ['data'] }),
    item: Type.String({
      maxLength: 120,
      description: 'The network or biller and the variety. Empty: all of the product that has no rule of its own.',
      examples: ['MTN 5GB'],
    }),
    pricePesewas: Nullable(Ghs({ maximum: amountMax, description: 'The price of one, in GHS.' })),
    addPesewas: Nullable(Ghs({ maximum: amountMax, description: 'Added to the cost of one, in GHS.' })),
    percent: Nullable(Type.Number({ minimum: 0, maximum: 500, description: 'Added to the cost; rounded up to GHS 0.10.' })),
  },
  { title: 'OwnPrice' },
)
const OwnPrices = Type.Object({ prices: Type.Array(OwnPrice) }, { title: 'OwnPrices' })
const OwnPricesBody = Type.Object({ prices: Type.Array(OwnPrice, { minItems: 1, maxItems: 200 }) })

const profitSum = { profitPesewas: Ghs(), soldPesewas: Ghs({ description: 'What customers paid.' }), orders: Type.Integer() }
const ProfitSum = Type.Object(profitSum, { title: 'ProfitSum' })
const Profit = Type.Object(
  {
    isKnown: Type.Boolean({ description: 'False: the account has set no prices of its own.' }),
    today: ProfitSum,
    week: ProfitSum,
    customers: Type.Array(
      Type.Object({ recipient: Type.String(), name: Nullable(Type.String()), ...profitSum }, { title: 'ProfitOfCustomer' }),
    ),
  },
  { title: 'Profit' },
)

type PriceDeps = { readonly db: Db; readonly products: readonly { readonly name: string }[] }

const tags = ['Own prices']

/** Registers the routes of the reseller's own notes of its prices and profit. No money and no order depends on them. */
export function registerPriceMemberRoutes(api: Api, { db, products }: PriceDeps): void {
  api.get(
    '/prices',
    {
      config: { permission: 'look' },
      schema: { operationId: 'listOwnPrices', tags, summary: 'Your own prices', response: { 200: Envelope(OwnPrices) } },
    },
    async ({ membership }) => ok({ prices: [...(await listOwnPrices(db, membership.accountId))] }),
  )
  api.put(
    '/prices',
    {
      config: { permission: 'manage_account' },
      schema: {
        operationId: 'setOwnPrices',
        tags,
        summary: 'Set or remove your own prices of some items',
        description: 'An item has one of `price`, `add` and `percent`; with none of them its rule is removed.',
        body: OwnPricesBody,
        response: { 200: Envelope(OwnPrices) },
      },
    },
    async ({ membership: { accountId }, body }) => {
      await setOwnPrices(db, products, accountId, body.prices)
      return ok({ prices: [...(await listOwnPrices(db, accountId))] })
    },
  )
  api.get(
    '/profit',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readProfit',
        tags,
        summary: 'What you earned by your own prices today and in the last seven days',
        response: { 200: Envelope(Profit) },
      },
    },
    async ({ membership }) => {
      const profit = await readProfit(db, membership.accountId)
      return ok({ ...profit, customers: [...profit.customers] })
    },
  )
}
