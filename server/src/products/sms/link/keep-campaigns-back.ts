import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/database.ts'
import { expandIn } from '../campaigns/expand-campaigns.ts'
import { lockClaims } from './claim-messages.ts'

/**
 * Pauses every campaign that is due, because nobody can find out which of its messages were sent in the history that is gone. A
 * person resumes or cancels each.
 * @returns the number of paused campaigns
 */
export async function keepCampaignsBack(tx: Tx, actor: string): Promise<{ campaigns_paused: number }> {
  await lockClaims(tx)
  const { rows: due } = await sql<{ id: string }>`
    select id from sms_campaigns
    where status = 'queued' and (scheduled_at is null or scheduled_at <= clock_timestamp()) order by id for update`.execute(tx)
  for (const { id } of due) await expandIn(tx, id)
  const { rows: paused } = await sql<{ id: string }>`
    update sms_campaigns
    set paused_at = coalesce(paused_at, clock_timestamp()), paused_by = coalesce(paused_by, ${actor}),
      is_paused_by_operator = true
    where status = 'processing' and cancelled_at is null and open_count > 0
    returning id`.execute(tx)
  return { campaigns_paused: paused.length }
}
