import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { amongIds } from '../../../platform/partitions/partitions.ts'
import type { SmsReceipt } from '../../../suppliers/sms-ports.ts'
import { messageKeysOf, recipientTail } from './receipt-keys.ts'
import { createSentLately, type SentLately } from './sent-lately.ts'

/** True when a receipt of the last 5 minutes waits for the answer to its submit. Much cheaper than trying to match receipts. */
async function hasUnmatched(tx: Tx, supplier: string): Promise<boolean> {
  const { rows } = await sql`
    select from sms_receipts
    where supplier = ${supplier} and matched_at is null and received_at > clock_timestamp() - interval '5 minutes' limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

type MessageId = { readonly campaign_id: string; readonly n: number }

/**
 * Finds the segment of a receipt. If several segments match, the likeliest form of the receipt's id decides, and then the
 * latest send.
 */
const partOfReceipt = (supplier: string, receiptDays: number) => sql`
  lateral (
    select campaign_id, n, part_no from sms_parts
    where sms_parts.supplier = ${supplier} and message_key = any(receipt.message_keys)
      and (receipt.recipient_tail is null or sms_parts.recipient_tail = receipt.recipient_tail)
      and created_at > clock_timestamp() - make_interval(days => ${receiptDays})
    order by array_position(receipt.message_keys, message_key), created_at desc
    limit 1
  ) as part`

/**
 * Part of a statement that has a table `matched`. The first final receipt of a message with one segment ends it. In a longer
 * message each segment keeps its first final receipt; `concludeMessages` then decides about messages in the table `changed`:
 * delivered when all segments are, not delivered as soon as one is not. The table `ended` has the receipts that ended a
 * message.
 */
const applyReceipts = sql`
  final_receipt as materialized (
    select distinct on (campaign_id, n, part_no) receipt_id, campaign_id, n, part_no, state,
      coalesce(segments_of_each[n], segments) > 1 as is_of_several
    from matched cross join lateral (
      select segments, segments_of_each from sms_campaigns where id = campaign_id limit 1
    ) as campaign
    where state <> 'underway' order by campaign_id, n, part_no, place
  ), ended as (
    update sms_messages as message set status = final_receipt.state, status_updated_at = clock_timestamp()
    from final_receipt
    where message.campaign_id = final_receipt.campaign_id and message.n = final_receipt.n and message.status = 'sent' and not is_of_several
      and message.campaign_id between (select campaign_id from final_receipt order by campaign_id limit 1)
        and (select campaign_id from final_receipt order by campaign_id desc limit 1)
    returning receipt_id
  ), changed as (
    update sms_parts set state = final_receipt.state
    from final_receipt
    where sms_parts.campaign_id = final_receipt.campaign_id and sms_parts.n = final_receipt.n and sms_parts.part_no = final_receipt.part_no
      and sms_parts.state is null and is_of_several
    returning sms_parts.campaign_id, sms_parts.n
  )`

/** Matches receipts of the last 5 minutes that were stored before the answers to their submits. */
async function matchStored(tx: Tx, supplier: string, receiptDays: number): Promise<MessageId[]> {
  const { rows } = await sql<MessageId>`
    with matched as materialized (
      select receipt.id as receipt_id, receipt.state, row_number() over (order by received_at, receipt.id) as place,
        part.campaign_id, part.n, part.part_no
      from sms_receipts as receipt cross join ${partOfReceipt(supplier, receiptDays)}
      where receipt.supplier = ${supplier} and matched_at is null and received_at > clock_timestamp() - interval '5 minutes'
    ), marked as (
      update sms_receipts set matched_at = clock_timestamp() from matched where sms_receipts.id = receipt_id
    ), ${applyReceipts}
    select campaign_id, n from changed`.execute(tx)
  return rows
}

/**
 * Matches new receipts. A receipt that ends a message of one segment is not stored, because the message's row then has all its
 * facts. The other receipts are stored, marked as matched if their segment is known already.
 */
async function matchAndStore(
  tx: Tx,
  supplier: string,
  receipts: readonly SmsReceipt[],
  receiptDays: number,
): Promise<MessageId[]> {
  const came = receipts.map((receipt, place) => ({ ...receipt, place, keys: messageKeysOf(receipt.messageId) }))
  const { rows } = await sql<MessageId>`
    with receipt as materialized (
      select id, place, array_remove(array[key, second_key, third_key], null) as message_keys, recipient_tail, state
      from ${rowsOf(came, {
        id: ['uuid', () => newId()],
        place: ['integer', ({ place }) => place],
        key: ['text', ({ keys }) => keys[0] ?? null],
        second_key: ['text', ({ keys }) => keys[1] ?? null],
        third_key: ['text', ({ keys }) => keys[2] ?? null],
        recipient_tail: ['text', ({ recipient = '' }) => recipientTail(recipient) ?? null],
        state: ['text', ({ state }) => state],
      }).as('came')}
    ), matched as materialized (
      select receipt.id as receipt_id, receipt.state, place, part.campaign_id, part.n, part.part_no
      from receipt cross join ${partOfReceipt(supplier, receiptDays)}
    ), ${applyReceipts}, stored as (
      insert into sms_receipts (id, supplier, message_keys, recipient_tail, state, matched_at)
      select id, ${supplier}, message_keys, recipient_tail, state,
        case when id in (select receipt_id from matched) then clock_timestamp() end
      from receipt where id not in (select receipt_id from ended)
    )
    select campaign_id, n from changed`.execute(tx)
  return rows
}

/**
 * Ends the messages of one segment that the link remembers. Their rows then have all facts of these receipts, which are not
 * stored.
 * @returns the other receipts: those without such a message, and those whose message had ended already
 */
async function endRemembered(tx: Tx, receipts: readonly SmsReceipt[], sentLately: SentLately): Promise<SmsReceipt[]> {
  const endings = receipts.flatMap((receipt, place) => {
    const message = sentLately.take(receipt)
    return message ? { place, message, state: receipt.state } : []
  })
  if (endings.length === 0) return [...receipts]
  const { rows } = await sql<{ places: number[] | null }>`
    with ended as (
      update sms_messages as message set status = ending.state, status_updated_at = clock_timestamp()
      from ${rowsOf(endings, {
        campaign_id: ['uuid', ({ message }) => message.campaignId],
        n: ['integer', ({ message }) => message.n],
        place: ['integer', ({ place }) => place],
        state: ['text', ({ state }) => state],
      }).as('ending')}
      where message.campaign_id = ending.campaign_id and ${amongIds(
        'message.campaign_id',
        endings.map(({ message }) => message.campaignId),
      )} and message.n = ending.n and message.status = 'sent'
      returning place
    )
    select array_agg(place) as places from ended`.execute(tx)
  const ended = new Set(rows[0]?.places)
  return receipts.filter((_, place) => !ended.has(place))
}

/** A message is delivered when all its segments are. Otherwise the first segment that ended in another way decides. */
async function concludeMessages(tx: Tx, messages: readonly MessageId[]): Promise<void> {
  if (messages.length === 0) return
  await sql`
    update sms_messages as message set status = decided.status, status_updated_at = clock_timestamp()
    from (
      select campaign_id, n, case when bool_and(coalesce(state, '') = 'delivered') then 'delivered'
        else (array_agg(state order by part_no) filter (where state <> 'delivered'))[1] end as status
      from sms_parts
      where ${rowsOf(messages, {
        campaign_id: ['uuid', (each) => each.campaign_id],
        n: ['integer', (each) => each.n],
      }).matching('sms_parts')}
      group by campaign_id, n
    ) as decided
    where message.campaign_id = decided.campaign_id and ${amongIds(
      'message.campaign_id',
      messages.map((each) => each.campaign_id),
    )} and message.n = decided.n
      and message.status = 'sent' and decided.status is not null`.execute(tx)
}

/**
 * Moves messages from `sent` to the final status in their receipts (decision M6b: a receipt refunds nothing). Stores the
 * receipts that end no message. A receipt may come early, twice, out of order or late. A receipt that contradicts a final
 * status changes nothing.
 * @param sentLately the link's memory, in which most receipts find their segment
 * @param justSent messages whose submit was answered in this transaction: their receipts may have come first
 */
export async function writeReceipts(
  tx: Tx,
  supplier: string,
  receipts: readonly SmsReceipt[],
  receiptDays: number,
  justSent: readonly MessageId[],
  sentLately: SentLately = createSentLately(),
): Promise<void> {
  // Receipts that came earlier are applied first, because the first final receipt of a message decides.
  const early = (await hasUnmatched(tx, supplier)) ? await matchStored(tx, supplier, receiptDays) : []
  const others = await endRemembered(tx, receipts, sentLately)
  const now = others.length > 0 ? await matchAndStore(tx, supplier, others, receiptDays) : []
  const all = new Map([...early, ...now, ...justSent].map((each) => [`${each.campaign_id}/${each.n}`, each]))
  await concludeMessages(tx, [...all.values()])
}
