import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { amongIds } from '../../../platform/partitions/partitions.ts'
import type { ClaimedMessage } from './claim-messages.ts'
import type { KeptAnswer } from './commit-window.ts'
import { moveByAnswer } from './message-life.ts'
import { messageKey, recipientTail } from './receipt-keys.ts'

/** A claimed message with the result of its submit: the supplier's answer, or that no answer came. */
export type MessageAnswer = KeptAnswer & { readonly message: ClaimedMessage }

type Decided = { readonly kept: KeptAnswer; readonly move: ReturnType<typeof moveByAnswer> }

/**
 * A message that may have arrived already (`mayHaveArrived`) does not fail, because the refusal of a later try proves
 * nothing about the first one.
 */
async function writeMessageMoves(tx: Tx, supplier: string, decided: readonly Decided[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with fate as (
      select * from ${rowsOf(decided, {
        campaign_id: ['uuid', ({ kept }) => kept.message.campaignId],
        n: ['integer', ({ kept }) => kept.message.n],
        status: ['text', ({ move }) => move.end ?? 'queued'],
        submit: ['text', ({ move }) => move.to],
        is_refusal: ['boolean', ({ move }) => move.isRefusal === true],
        reason: ['text', ({ kept: { answer } }) => (answer.meaning === 'accepted' ? null : answer.evidence)],
        is_late: ['boolean', ({ kept }) => kept.isLate],
        may_have_arrived: ['boolean', ({ move }) => move.mayHaveArrived === true],
      }).as('fate')}
    ), changed as (
      update sms_messages as message
      set submit = fate.submit, reason = fate.reason, may_have_arrived = message.may_have_arrived or fate.may_have_arrived,
        status = case when fate.status = 'failed' and message.may_have_arrived then 'sent' else fate.status end,
        refused_by = case when fate.is_refusal and not message.refused_by ? ${supplier}::text then message.refused_by || to_jsonb(${supplier}::text) else message.refused_by end,
        supplier = case when fate.submit = 'waiting' then null else ${supplier}::text end,
        claimed_at = case when fate.submit = 'waiting' then null else coalesce(message.claimed_at, clock_timestamp()) end,
        status_updated_at = case when fate.status = message.status then message.status_updated_at else clock_timestamp() end
      from fate
      where message.campaign_id = fate.campaign_id and ${amongIds(
        'message.campaign_id',
        decided.map(({ kept }) => kept.message.campaignId),
      )} and message.n = fate.n
        and (not fate.is_late and message.submit = 'waiting' or message.submit = 'unanswered' and message.supplier = ${supplier})
      returning message.campaign_id, message.status
    )
    update sms_campaigns set open_count = open_count - gone.count
    from (select campaign_id, count(*) as count from changed where status <> 'queued' group by campaign_id) as gone
    where id = gone.campaign_id
    returning case when open_count = 0 then id end as id`.execute(tx)
  return rows.flatMap((row) => row.id ?? [])
}

async function writeParts(tx: Tx, supplier: string, answers: readonly KeptAnswer[]): Promise<void> {
  const parts = answers.flatMap(({ message, answer }) =>
    answer.messageIds.map((messageId, index) => ({ message, partNo: index + 1, key: messageKey(messageId) })),
  )
  if (parts.length === 0) return
  await sql`
    insert into sms_parts (campaign_id, n, part_no, supplier, message_key, recipient_tail)
    select campaign_id, n, part_no, ${supplier}, message_key, recipient_tail
    from ${rowsOf(parts, {
      campaign_id: ['uuid', ({ message }) => message.campaignId],
      n: ['integer', ({ message }) => message.n],
      part_no: ['integer', ({ partNo }) => partNo],
      message_key: ['text', ({ key }) => key],
      recipient_tail: ['text', ({ message }) => recipientTail(message.recipient) ?? null],
    }).as('taken')}
    on conflict (campaign_id, n, part_no) do update set supplier = excluded.supplier, message_key = excluded.message_key`.execute(
    tx,
  )
}

/**
 * Records a supplier's answers to messages of its link, and updates the campaigns' counts of open messages. A message that was
 * concluded meanwhile stays as it is; only the supplier's ids of its segments are stored. Nothing changes when the same answers
 * are written again because the result of a commit was lost.
 * @returns the campaigns whose last open message was ended by these answers
 */
export async function writeAnswers(
  tx: Tx,
  supplier: string,
  answers: readonly KeptAnswer[],
  isResubmitting: boolean,
): Promise<string[]> {
  if (answers.length === 0) return []
  const campaignIds = [...new Set(answers.map(({ message }) => message.campaignId))]
  // Campaigns are locked before messages, in a fixed order, because several links may conclude messages of the same
  // campaigns.
  await sql`select from sms_campaigns where id = any(${campaignIds}::uuid[]) order by id for update`.execute(tx)
  const decided = answers.map((kept) => ({ kept, move: moveByAnswer(kept, isResubmitting) }))
  const settling = await writeMessageMoves(tx, supplier, decided)
  await writeParts(tx, supplier, answers)
  return settling
}
