import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { rowsOf } from '../platform/database/rows-of.ts'

export type CourtesyChannel = 'sms' | 'email'

/**
 * Queues a message in the transaction of the purchase. Nothing is sent here, and no address or text is stored, so this
 * cannot delay the purchase or leak anything. If the purchase is not committed, neither is the message.
 */
export async function queueCourtesyNotices(
  tx: Tx,
  notices: readonly { readonly orderId: string; readonly channel: CourtesyChannel }[],
): Promise<void> {
  if (notices.length === 0) return
  await sql`
    insert into courtesy_notices ${rowsOf(notices, {
      order_id: ['uuid', ({ orderId }) => orderId],
      channel: ['text', ({ channel }) => channel],
    }).forInsert()}`.execute(tx)
}
