import { readTopUp } from '../../money/top-ups/read-top-up.ts'
import { readPicture } from '../../money/top-ups/store-picture.ts'
import { fileHeaders, PictureFile } from '../../money/top-ups/top-up-files.member.routes.ts'
import { topUpRefusals } from '../../money/top-ups/top-ups.refusals.ts'
import { TopUpPath } from '../../money/top-ups/top-ups.schemas.ts'
import type { Db } from '../../platform/database/database.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'

export function registerTopUpPicture(desk: Api, { db }: { readonly db: Db }): void {
  desk.get(
    '/top-ups/:top_up_id/picture',
    {
      config: { permission: 'see', refusals: [404] },
      schema: {
        operationId: 'deskReadTopUpPicture',
        tags: ['Top-ups'],
        summary: 'The picture that came with a transfer',
        params: TopUpPath,
        response: { 200: PictureFile },
      },
    },
    async ({ params }, reply) => {
      const topUp = await readTopUp(db, params.topUpId)
      const picture = topUp && (await readPicture(db, topUp.id))
      if (!picture) throw new RefusalError(topUpRefusals.noPicture)
      return reply.headers(fileHeaders).type(picture.media_type).send(picture.bytes)
    },
  )
}
