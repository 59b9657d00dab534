import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import type { SmsReceipt } from '../../../suppliers/sms-ports.ts'
import { messageKeysOf, recipientTail } from './receipt-keys.ts'

async function storeReceipts(tx: Tx, supplier: string, receipts: readonly SmsReceipt[]): Promise<void> {
  if (receipts.length === 0) return
  await sql`
    insert into sms_receipts (id, supplier, message_keys, recipient_tail, state)
    select id, ${supplier}, array(select jsonb_array_elements_text(message_keys)), recipient_tail, state
    from ${rowsOf(receipts, {
      id: ['uuid', () => newId()],
      message_keys: ['jsonb', ({ messageId }) => JSON.stringify(messageKeysOf(messageId))],
      recipient_tail: ['text', ({ recipient }) => (recipient === undefined ? null : (recipientTail(recipient) ?? null))],
      state: ['text', ({ state }) => state],
    }).as('came')}`.execute(tx)
}

/** Whether any receipt waits for the answer to its submit. Asking this is much cheaper than trying to match receipts. */
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
 * Matches receipts with their segments: receipts that just came, and receipts that came before the answer to their
 * submit. The first final receipt of a segment counts.
 */
async function matchReceipts(tx: Tx, supplier: string, receiptDays: number): Promise<MessageId[]> {
  const { rows } = await sql<MessageId>`
    with matched as materialized (
      select receipt.id, receipt.state, receipt.received_at, part.campaign_id, part.n, part.part_no
      from sms_receipts as receipt
      cross join lateral (
        select campaign_id, n, part_no from sms_parts
        where sms_parts.supplier = ${supplier} and message_key = any(receipt.message_keys)
          and (receipt.recipient_tail is null or sms_parts.recipient_tail = receipt.recipient_tail)
          and created_at > clock_timestamp() - make_interval(days => ${receiptDays})
        order by array_position(receipt.message_keys, message_key), created_at desc
        limit 1
      ) as part
      where receipt.supplier = ${supplier} and matched_at is null and received_at > clock_timestamp() - interval '5 minutes'
    ), marked as (
      update sms_receipts set matched_at = clock_timestamp() from matched where sms_receipts.id = matched.id
    )
    update sms_parts set state = word.state
    from (
      select distinct on (campaign_id, n, part_no) campaign_id, n, part_no, state from matched
      where state <> 'underway' order by campaign_id, n, part_no, received_at, id
    ) as word
    where sms_parts.campaign_id = word.campaign_id and sms_parts.n = word.n and sms_parts.part_no = word.part_no and sms_parts.state is null
    returning sms_parts.campaign_id, sms_parts.n`.execute(tx)
  return rows
}

/** A message is delivered when all its segments are. Otherwise the first segment that ended in another way decides. */
async function concludeMessages(tx: Tx, messages: readonly MessageId[]): Promise<void> {
  if (messages.length === 0) return
  await sql`
    update sms_messages as message set status = verdict.status, status_updated_at = clock_timestamp()
    from (
      select campaign_id, n, case when bool_and(coalesce(state, '') = 'delivered') then 'delivered'
        else (array_agg(state order by part_no) filter (where state <> 'delivered'))[1] end as status
      from sms_parts
      where ${rowsOf(messages, {
        campaign_id: ['uuid', (each) => each.campaign_id],
        n: ['integer', (each) => each.n],
      }).matching('sms_parts')}
      group by campaign_id, n
    ) as verdict
    where message.campaign_id = verdict.campaign_id and message.n = verdict.n
      and message.status = 'sent' and verdict.status is not null`.execute(tx)
}

/**
 * Stores delivery receipts and moves their messages from `sent` to their end (decision M6b: a receipt refunds nothing).
 * A receipt may come early, twice, out of order or late. A receipt that contradicts an end changes nothing.
 * @param justSent messages whose submit was answered in this transaction: their receipts may have come first
 */
export async function writeReceipts(
  tx: Tx,
  supplier: string,
  receipts: readonly SmsReceipt[],
  receiptDays: number,
  justSent: readonly MessageId[],
): Promise<void> {
  await storeReceipts(tx, supplier, receipts)
  const touched = receipts.length > 0 || (await hasUnmatched(tx, supplier)) ? await matchReceipts(tx, supplier, receiptDays) : []
  const all = new Map([...touched, ...justSent].map((each) => [`${each.campaign_id}/${each.n}`, each]))
  await concludeMessages(tx, [...all.values()])
}
