import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import type { Db } from '../../platform/database/database.ts'
import { plainTextPattern } from '../../platform/http/document/patterns-in-words.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { Nullable, Uuid } from '../../platform/http/schemas.ts'
import { resellingRefusals } from '../reselling.refusals.ts'
import { makeReceipt, readSale, revokeReceipt } from './sale-receipts.ts'
import { logoBytesMax, readLogo, readShop, removeLogo, saveLogo, saveShop } from './shop.ts'

const Shop = Type.Object(
  {
    name: Type.String({ description: 'What customers read; the account’s name until you write one.' }),
    phone: Nullable(Type.String({ description: 'Where customers reach you; null: none is shown.' })),
    hasLogo: Type.Boolean(),
  },
  { title: 'Shop' },
)
const ShopBody = Type.Object({
  name: Type.String({ pattern: plainTextPattern, maxLength: 60 }),
  phone: Type.String({ maxLength: 40, description: 'May be empty.' }),
})

const Sale = Type.Object(
  {
    ownPricePesewas: Nullable(Ghs({ description: 'What your customer was asked for, in GHS.' })),
    profitPesewas: Nullable(Ghs({ description: 'That less the cost, in GHS.' })),
    receipt: Type.Union([
      Type.Object(
        {
          path: Type.String({ description: 'The path of the page at this address.', examples: ['/r/q83vEjRWeJCrze8SNFZ4kA'] }),
          showsNumber: Type.Boolean({ description: 'Whether the page shows the recipient in full.' }),
        },
        { title: 'ReceiptLink' },
      ),
      Type.Null(),
    ]),
  },
  { title: 'Sale' },
)
const ReceiptBody = Type.Object({ showsNumber: Type.Boolean() })
const OrderPath = Type.Object({ orderId: Uuid() })

const LogoFile = { content: { 'image/png': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } } }

const tags = ['Receipts']

type ReceiptDeps = { readonly db: Db }

function registerSales(api: Api, { db }: ReceiptDeps): void {
  api.get(
    '/orders/:order_id/sale',
    {
      config: { permission: 'look', refusals: [refusals.orderNotFound] },
      schema: {
        operationId: 'readSale',
        tags,
        summary: 'What your customer paid for an order, what you earn, and the link of its receipt',
        params: OrderPath,
        response: { 200: Envelope(Sale) },
      },
    },
    async ({ membership, params }) => ok(await readSale(db, membership.accountId, params.orderId)),
  )
  api.put(
    '/orders/:order_id/receipt',
    {
      config: { permission: 'buy', refusals: [refusals.orderNotFound] },
      schema: {
        operationId: 'makeReceipt',
        tags,
        summary: 'Make a link to a page that shows anybody how the order stands',
        description: 'The page has your shop, your price, the state and the reference. It never shows what you paid.',
        params: OrderPath,
        body: ReceiptBody,
        response: { 200: Envelope(Sale) },
      },
    },
    async ({ membership: { accountId }, params: { orderId }, body: { showsNumber }, person }) =>
      ok(await makeReceipt(db, { accountId, orderId, showsNumber, madeBy: person.email })),
  )
  api.delete(
    '/orders/:order_id/receipt',
    {
      config: { permission: 'buy', refusals: [refusals.orderNotFound] },
      schema: {
        operationId: 'revokeReceipt',
        tags,
        summary: 'Take the link of a receipt back',
        params: OrderPath,
        response: { 200: Envelope(Sale) },
      },
    },
    async ({ membership: { accountId }, params: { orderId } }) => {
      await revokeReceipt(db, accountId, orderId)
      return ok(await readSale(db, accountId, orderId))
    },
  )
}

function registerLogo(api: Api, { db }: ReceiptDeps): void {
  api.register(async (scope) => {
    const pictures: Api = scope.withTypeProvider()
    // The content type of the request does not count: the bytes show the file's type.
    pictures.addContentTypeParser(['image/png', 'image/jpeg'], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    pictures.put(
      '/shop/logo',
      {
        bodyLimit: logoBytesMax,
        config: { permission: 'manage_account', refusals: [400] },
        schema: {
          operationId: 'saveShopLogo',
          tags,
          summary: 'Set the logo of your shop',
          description: 'The body is a PNG or JPEG picture of at most 128 KB, with its own content type.',
          response: { 200: Envelope(Shop) },
        },
      },
      async ({ body, membership: { accountId } }) => {
        if (!Buffer.isBuffer(body)) throw new RefusalError(resellingRefusals.logoUnreadable)
        await saveLogo(db, accountId, body)
        return ok(await readShop(db, accountId))
      },
    )
  })
  api.get(
    '/shop/logo',
    {
      config: { permission: 'look', refusals: [404] },
      schema: { operationId: 'readShopLogo', tags, summary: 'The logo of your shop', response: { 200: LogoFile } },
    },
    async ({ membership }, reply) => {
      const { bytes, mediaType } = await readLogo(db, membership.accountId)
      return reply
        .headers({ 'content-security-policy': "default-src 'none'; sandbox", 'cache-control': 'private, no-store' })
        .type(mediaType)
        .send(bytes)
    },
  )
  api.delete(
    '/shop/logo',
    {
      config: { permission: 'manage_account' },
      schema: { operationId: 'removeShopLogo', tags, summary: 'Remove the logo of your shop', response: { 200: Envelope(Shop) } },
    },
    async ({ membership: { accountId } }) => {
      await removeLogo(db, accountId)
      return ok(await readShop(db, accountId))
    },
  )
}

/** Registers the routes of the reseller's shop, as its customers see it, and of the receipts of orders. */
export function registerReceiptMemberRoutes(api: Api, deps: ReceiptDeps): void {
  api.get(
    '/shop',
    {
      config: { permission: 'look' },
      schema: { operationId: 'readShop', tags, summary: 'How your shop looks to customers', response: { 200: Envelope(Shop) } },
    },
    async ({ membership }) => ok(await readShop(deps.db, membership.accountId)),
  )
  api.put(
    '/shop',
    {
      config: { permission: 'manage_account', refusals: [400] },
      schema: {
        operationId: 'saveShop',
        tags,
        summary: 'Set the name and the phone number that customers see',
        body: ShopBody,
        response: { 200: Envelope(Shop) },
      },
    },
    async ({ membership: { accountId }, body }) => {
      await saveShop(deps.db, accountId, body)
      return ok(await readShop(deps.db, accountId))
    },
  )
  registerSales(api, deps)
  registerLogo(api, deps)
}
