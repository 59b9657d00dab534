import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { type EncodedText, encodeText, type SmsSegmentRule } from './encode-text.ts'

/** A message that this process may hand over, once. */
export type ClaimedMessage = {
  readonly campaignId: string
  readonly n: number
  readonly recipient: string
  readonly network: string
  /** Suppliers that refused us for this message before. */
  readonly refusedBy: readonly string[]
  readonly sender: string
  readonly text: EncodedText
}

/** For each network that a supplier serves: the suppliers that come before it and whose link stands. */
export type ClaimPlan = Readonly<Record<string, readonly string[]>>

type ClaimedRow = { campaign_id: string; n: number; recipient: string; network: string; refused_by: string[] }
type CampaignText = { readonly sender: string; readonly text: EncodedText }

/** Texts of campaigns in work, so that ten thousand messages encode theirs once. */
export type CampaignTexts = Map<string, CampaignText>
const textsMax = 200

async function readTexts(db: Db, texts: CampaignTexts, campaignIds: readonly string[]): Promise<void> {
  const missing = campaignIds.filter((id) => !texts.has(id))
  if (missing.length === 0) return
  if (texts.size > textsMax) texts.clear()
  const { rows } = await sql<{ id: string; sender: string; message: string; segment_rule: SmsSegmentRule }>`
    select id, sender, message, segment_rule from sms_campaigns where id = any(${campaignIds}::uuid[])`.execute(db)
  for (const row of rows) texts.set(row.id, { sender: row.sender, text: encodeText(row.message, row.segment_rule) })
}

/**
 * Claims messages for a supplier's link and commits it, before anything is sent: what a crash then leaves claimed is
 * never sent again on a guess. Small campaigns come first. A message goes to the first supplier of its network whose
 * link stands and which has not refused us for it.
 */
export async function claimMessages(
  db: Db,
  supplier: string,
  plan: ClaimPlan,
  limit: number,
  texts: CampaignTexts,
): Promise<ClaimedMessage[]> {
  if (Object.keys(plan).length === 0) return []
  const networks = JSON.stringify(plan)
  const claimed = await inTransaction(db, async (tx) => {
    const { rows } = await sql<ClaimedRow>`
      with due as materialized (
        select campaign_id, n from sms_messages
        where submit = 'waiting' and ${networks}::jsonb ? network
          and not refused_by ? ${supplier}::text and refused_by @> (${networks}::jsonb -> network)
        order by is_bulk, campaign_id, n
        limit ${limit}
        for update skip locked
      )
      update sms_messages
      set submit = 'claimed', supplier = ${supplier}, claimed_at = clock_timestamp()
      from due where sms_messages.campaign_id = due.campaign_id and sms_messages.n = due.n
      returning sms_messages.campaign_id, sms_messages.n, recipient, network, refused_by`.execute(tx)
    if (rows.length > 0) await readTexts(tx, texts, [...new Set(rows.map((row) => row.campaign_id))])
    return rows
  })
  return claimed.map((row) => {
    const known = texts.get(row.campaign_id)
    if (!known) throw new Error(`campaign ${row.campaign_id} has messages but no row`)
    return {
      campaignId: row.campaign_id,
      n: row.n,
      recipient: row.recipient,
      network: row.network,
      refusedBy: row.refused_by,
      ...known,
    }
  })
}

/**
 * Takes over what an earlier holder of the link had claimed and never reported: nobody knows whether it was sent.
 *
 * @param isResubmitting the operator allows that it is handed over again
 */
export async function inheritClaims(db: Db, supplier: string, isResubmitting: boolean): Promise<void> {
  await sql`
    update sms_messages
    set submit = ${isResubmitting ? 'waiting' : 'unanswered'}::text,
      supplier = case when ${isResubmitting}::boolean then null else supplier end,
      claimed_at = case when ${isResubmitting}::boolean then null else claimed_at end
    where supplier = ${supplier} and submit = 'claimed'`.execute(db)
}
