import type { Db, Tx } from '../../platform/database/database.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { topUpRefusals } from './top-ups.refusals.ts'

export const pictureBytesMax = 1_048_576

type MediaType = 'image/png' | 'image/jpeg'

const pngBegins = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpegBegins = Buffer.from([0xff, 0xd8, 0xff])

/** Finds a picture's type from its bytes, whatever type the request names. Undefined: too large, or neither PNG nor JPEG. */
export function pictureTypeOf(bytes: Buffer): MediaType | undefined {
  if (bytes.length > pictureBytesMax) return undefined
  if (bytes.subarray(0, pngBegins.length).equals(pngBegins) && bytes.subarray(-8, -4).toString('latin1') === 'IEND') {
    return 'image/png'
  }
  const isJpeg = bytes.subarray(0, jpegBegins.length).equals(jpegBegins) && bytes.includes(Buffer.from([0xff, 0xd9]))
  return isJpeg ? 'image/jpeg' : undefined
}

/**
 * Stores the picture of a transfer's receipt in place of an earlier picture. That is possible until a person has
 * decided about the transfer.
 *
 * @throws RefusalError when the account has no such top-up, the file is no picture, or no transfer waits there
 */
export async function storePicture(
  tx: Tx,
  { topUpId, accountId, bytes }: { readonly topUpId: string; readonly accountId: string; readonly bytes: Buffer },
): Promise<void> {
  const topUp = await tx
    .selectFrom('top_ups')
    .select(['way', 'state'])
    .where('id', '=', topUpId)
    .where('account_id', '=', accountId)
    .forShare()
    .executeTakeFirst()
  if (!topUp) throw new RefusalError(topUpRefusals.notFound)
  if (topUp.state !== 'waiting') throw new RefusalError(topUpRefusals.pictureTooLate)
  const mediaType = pictureTypeOf(bytes)
  if (!mediaType) throw new RefusalError(topUpRefusals.pictureUnreadable)
  await tx
    .insertInto('top_up_pictures')
    .values({ top_up_id: topUpId, media_type: mediaType, bytes })
    .onConflict((conflict) => conflict.column('top_up_id').doUpdateSet({ media_type: mediaType, bytes }))
    .execute()
}

export function readPicture(db: Db, topUpId: string) {
  return db.selectFrom('top_up_pictures').select(['media_type', 'bytes']).where('top_up_id', '=', topUpId).executeTakeFirst()
}
