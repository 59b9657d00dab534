import type { Readable } from 'node:stream'
import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { operatorNameSetting } from '../money.settings.ts'
import { drawReceipt } from '../statement/draw-document.ts'
import type { Gateways } from './payment-gateway.ts'
import { readTopUp, type TopUpRow } from './read-top-up.ts'
import { pictureBytesMax, readPicture, storePicture } from './store-picture.ts'
import { topUpRefusals } from './top-ups.refusals.ts'
import { PictureKept, TopUpPath } from './top-ups.schemas.ts'

type FileDeps = { readonly db: Db; readonly settings: Settings; readonly gateways: Pick<Gateways, 'companyOf'> }

const tags = ['Top-up']

/** In the OpenAPI document, a file is a string of bytes. */
const File = (description: string) => Type.Unsafe<Buffer | Readable>({ type: 'string', format: 'binary', description })

export const PictureFile = { content: { 'image/png': { schema: File('The picture as it was sent: PNG or JPEG.') } } }

/** Headers for uploaded files: a browser may only show them. */
export const fileHeaders = { 'content-security-policy': "default-src 'none'; sandbox", 'cache-control': 'private, no-store' }

function registerPictureRoutes(app: Api, { db }: FileDeps): void {
  app.register(async (scope) => {
    const pictures: Api = scope.withTypeProvider()
    // The content type of the request does not count: the bytes show the file's type.
    pictures.addContentTypeParser(['image/png', 'image/jpeg'], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    pictures.put(
      '/top-ups/:top_up_id/picture',
      {
        bodyLimit: pictureBytesMax,
        config: { permission: 'top_up', refusals: [404, 409] },
        schema: {
          operationId: 'keepTopUpPicture',
          tags,
          summary: 'Add a picture of the receipt to a transfer',
          description: 'The body is a PNG or JPEG picture of at most 1 MB, with its own content type.',
          params: TopUpPath,
          response: { 200: Envelope(PictureKept) },
        },
      },
      async ({ params, body, membership: { accountId } }) => {
        if (!Buffer.isBuffer(body)) throw new RefusalError(topUpRefusals.pictureUnreadable)
        await inTransaction(db, (tx) => storePicture(tx, { topUpId: params.topUpId, accountId, bytes: body }))
        return ok({ hasPicture: true } as const)
      },
    )
  })
  app.get(
    '/top-ups/:top_up_id/picture',
    {
      config: { permission: 'look', refusals: [404] },
      schema: {
        operationId: 'readTopUpPicture',
        tags,
        summary: 'The picture that came with a transfer',
        params: TopUpPath,
        response: { 200: PictureFile },
      },
    },
    async ({ params, membership: { accountId } }, reply) => {
      const topUp = await readTopUp(db, params.topUpId, accountId)
      const picture = topUp && (await readPicture(db, topUp.id))
      if (!picture) throw new RefusalError(topUpRefusals.noPicture)
      return reply.headers(fileHeaders).type(picture.media_type).send(picture.bytes)
    },
  )
}

async function readBalanceAfter(db: Db, topUp: TopUpRow): Promise<number> {
  const { to_balance_after: balanceAfter } = await db
    .selectFrom('transfers')
    .select('to_balance_after')
    .where('cause_id', '=', topUp.id)
    .where('kind', '=', 'top_up')
    .executeTakeFirstOrThrow()
  return balanceAfter ?? 0
}

/** Routes of top-ups that answer with files: pictures of transfers, and receipts. */
export function registerTopUpFileRoutes(app: Api, deps: FileDeps): void {
  registerPictureRoutes(app, deps)
  const { db, settings, gateways } = deps
  app.get(
    '/top-ups/:top_up_id/receipt',
    {
      config: { exportedAs: 'receipt export', permission: 'look', refusals: [404, 409] },
      schema: {
        operationId: 'readTopUpReceipt',
        tags,
        summary: 'The receipt of a credited top-up, as PDF',
        params: TopUpPath,
        response: { 200: { content: { 'application/pdf': { schema: File('One page.') } } } },
      },
    },
    async ({ params, membership }, reply) => {
      const topUp = await readTopUp(db, params.topUpId, membership.accountId)
      if (!topUp) throw new RefusalError(topUpRefusals.notFound)
      if (topUp.state !== 'credited') throw new RefusalError(topUpRefusals.noReceipt)
      const heading = {
        operatorName: await settings.read(operatorNameSetting),
        accountName: membership.accountName,
        accountEmail: membership.accountEmail,
        paidThrough: gateways.companyOf(topUp.way),
        balanceAfter: await readBalanceAfter(db, topUp),
      }
      return reply
        .headers({ ...fileHeaders, 'content-disposition': `attachment; filename="receipt-${topUp.reference}.pdf"` })
        .type('application/pdf')
        .send(await drawReceipt(topUp, heading))
    },
  )
}
