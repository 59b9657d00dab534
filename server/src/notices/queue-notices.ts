import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import type { NoticeKind } from './notice-kinds.ts'

/** A notice to a reseller about its account. Its text holds no secret: of a key it shows only the last four characters. */
export type ResellerNotice = {
  readonly accountId: string
  readonly kind: NoticeKind
  /**
   * The unique name of the cause, such as the id of a key or the date of an expiry: a notice of the same kind and name is
   * sent once.
   */
  readonly about: string
  readonly subject: string
  /** The cause and the next step, in words for the reseller. */
  readonly text: string
  /** The text of the notice, short enough for one SMS. */
  readonly sms: string
}

/** A notice is queued once for each of its channels. */
export type AddressedNotice = ResellerNotice & { readonly channels: readonly CourtesyChannel[] }

/**
 * Queues notices to resellers in the transaction of their cause. Nothing is sent here; if the cause is not committed, neither
 * is the notice. A unique constraint of the table makes sure that the same notice is queued only once.
 */
export async function queueResellerNotices(tx: Tx, notices: readonly AddressedNotice[]): Promise<void> {
  const rows = notices.flatMap((notice) => notice.channels.map((channel) => ({ notice, channel })))
  if (rows.length === 0) return
  await sql`
    insert into reseller_notices ${rowsOf(rows, {
      id: ['uuid', () => newId()],
      account_id: ['uuid', ({ notice }) => notice.accountId],
      kind: ['text', ({ notice }) => notice.kind],
      about: ['text', ({ notice }) => notice.about],
      channel: ['text', ({ channel }) => channel],
      subject: ['text', ({ notice }) => notice.subject],
      body: ['text', ({ notice, channel }) => (channel === 'sms' ? notice.sms : notice.text)],
    }).forInsert()}
    on conflict on constraint reseller_notices_once_per_cause_and_channel do nothing`.execute(tx)
}

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

/**
 * Ends all messages to customers and resellers that wait to be sent. The database went back to an earlier state, so they may
 * have been sent already.
 * @returns how many were ended
 */
export async function endWaitingNotices(tx: Tx): Promise<number> {
  const { rows } = await sql<{ ended: number }>`
    with courtesy as (
      update courtesy_notices
      set state = 'unknown', reason = 'history went back: it may have been sent', ended_at = clock_timestamp()
      where state = 'queued' returning 1
    ), reseller as (
      update reseller_notices
      set state = 'failed', reason = 'history went back: it may have been sent', ended_at = clock_timestamp()
      where state = 'queued' returning 1
    )
    select (select count(*) from courtesy)::integer + (select count(*) from reseller)::integer as ended`.execute(tx)
  return rows[0]?.ended ?? 0
}
