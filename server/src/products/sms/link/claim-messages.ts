import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { mapInPieces } from '../../../platform/in-pieces.ts'
import { findOldestOpen } from '../campaigns/open-campaigns.ts'
import { type EncodedText, encodeText, type SmsSegmentRule } from '../text/encode-text.ts'
import { fillInName, textsAtOnce } from '../text/fill-in-names.ts'
import type { LinkHolder } from './commit-window.ts'

export type Claim = { readonly id: string; openCount: number }

/** A message that this process may send, once. */
export type ClaimedMessage = {
  readonly claim: Claim
  readonly campaignId: string
  readonly n: number
  readonly recipient: string
  readonly network: string
  /** True when the message belongs to a large campaign. Messages of small campaigns are sent first. */
  readonly isBulk: boolean
  /** Suppliers that refused it because of us or the sender. */
  readonly refusedBy: readonly string[]
  readonly sender: string
  /** Has no segment when the name to fill in was deleted. Such a message fails and is never sent. */
  readonly text: EncodedText
}

/** Limits of a claim. A message past its deadline is not claimed any more: `concludeOverdue` ends it. */
export type WantedMessages = { readonly limit: number; readonly isBulkToo: boolean; readonly deadlineHours: number }

/** For each network that a supplier serves: the suppliers with a bound link whose routes come before its own. */
export type ClaimPlan = Readonly<Record<string, readonly string[]>>

/** Messages of one claim, equal in everything but their number in the campaign and their recipient. */
type ClaimedRow = {
  claim_id: string
  campaign_id: string
  network: string
  is_bulk: boolean
  refused_by: string[]
  /** Separated by commas: reading two long texts costs less than reading thousands of rows. */
  numbers: string
  recipients: string
}
type CampaignText = {
  readonly sender: string
  readonly message: string
  readonly rule: SmsSegmentRule
  /** Undefined: each recipient's name is filled in. */
  readonly text: EncodedText | undefined
}

/** Texts of running campaigns, so that the text of ten thousand messages is encoded once. Names are not kept here. */
export type CampaignTexts = Map<string, CampaignText>
const textsMax = 200

type TextRow = { id: string; sender: string; message: string; has_names: boolean; segment_rule: SmsSegmentRule }

async function readTexts(db: Db, texts: CampaignTexts, campaignIds: readonly string[]): Promise<void> {
  const missing = campaignIds.filter((id) => !texts.has(id))
  if (missing.length === 0) return
  const isFull = texts.size > textsMax
  if (isFull) texts.clear()
  const { rows } = await sql<TextRow>`
    select id, sender, message, segments_of_each is not null as has_names, segment_rule from sms_campaigns
    where id = any(${isFull ? campaignIds : missing}::uuid[])`.execute(db)
  for (const { id, sender, message, has_names: hasNames, segment_rule: rule } of rows) {
    texts.set(id, { sender, message, rule, text: hasNames ? undefined : encodeText(message, rule) })
  }
}

/** Names of consecutive messages of a campaign, beginning with the row's first one. */
type Names = readonly (string | null)[]

/** Reads the names of claimed messages only, because a campaign may have ten thousand. */
async function readNames(db: Db, texts: CampaignTexts, claimed: readonly ClaimedRow[]): Promise<Map<ClaimedRow, Names>> {
  const named = claimed.filter((row) => !texts.get(row.campaign_id)?.text)
  if (named.length === 0) return new Map()
  const { rows } = await sql<{ place: number; names: Names | null }>`
    select place, names[first_n:last_n] as names
    from ${rowsOf([...named.entries()], {
      place: ['integer', ([place]) => place],
      campaign_id: ['uuid', ([, row]) => row.campaign_id],
      first_n: ['integer', ([, row]) => numbersOf(row)[0] ?? 0],
      last_n: ['integer', ([, row]) => numbersOf(row).at(-1) ?? 0],
    }).as('wanted')} join sms_campaigns on id = campaign_id`.execute(db)
  return new Map(rows.flatMap(({ place, names }) => (named[place] ? [[named[place], names ?? []] as const] : [])))
}

const numbersOf = ({ numbers }: ClaimedRow): number[] => numbers.split(',').map(Number)

/**
 * Locks the claims: one process at a time claims messages, so no two claim the same ones, and no process takes over a link
 * meanwhile.
 */
export async function lockClaims(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('makola sms claims', 0))`.execute(tx)
}

/**
 * Claims messages for a supplier's link, so that no other link sends them, small campaigns first. A message goes to the first
 * supplier of its network with a bound link that has not refused us for this message. A claim is one row per campaign; the
 * messages' rows are written only when they are answered.
 *
 * Goes through the campaigns one by one, so that the index of waiting messages is read only as far as needed. The condition
 * about routes is a `case` for the same reason: PostgreSQL would expect almost no row to match it, and would rather read and
 * sort all waiting messages.
 */
export async function claimMessages(
  db: Db,
  { supplier, token }: LinkHolder,
  plan: ClaimPlan,
  wanted: WantedMessages,
  texts: CampaignTexts,
): Promise<ClaimedMessage[]> {
  if (Object.keys(plan).length === 0) return []
  const networks = JSON.stringify(plan)
  const { claimed, names } = await inTransaction(db, async (tx) => {
    await lockClaims(tx)
    const since = await findOldestOpen(tx)
    if (!since) return { claimed: [], names: new Map<ClaimedRow, Names>() }
    const { rows } = await sql<ClaimedRow>`
      with due as materialized (
        select message.* from (
          select id, is_bulk from sms_campaigns
          where status = 'processing' and ${since('id')} and paused_at is null and cancelled_at is null and is_bulk <= ${wanted.isBulkToo}::boolean
            and expanded_at >= clock_timestamp() - make_interval(hours => ${wanted.deadlineHours})
            and exists (select from sms_windows where sms_windows.supplier = ${supplier} and holder = ${token})
          order by is_bulk, id
        ) as campaign
        cross join lateral (
          select campaign_id, n, recipient, network, is_bulk, refused_by from sms_messages
          where submit = 'waiting' and is_bulk = campaign.is_bulk and campaign_id = campaign.id and ${since('campaign_id')}
            and (campaign_id, n) not in (select campaign_id, unnest(numbers) from sms_claims)
            and case when ${networks}::jsonb ? network and not refused_by ? ${supplier}::text
              then refused_by @> (${networks}::jsonb -> network) else false end
          order by n limit ${wanted.limit}
        ) as message
        limit ${wanted.limit}
      ), claim as (
        insert into sms_claims (id, supplier, campaign_id, numbers)
        select gen_random_uuid(), ${supplier}, campaign_id, array_agg(n) from due group by campaign_id
        returning id, campaign_id
      )
      select claim.id as claim_id, campaign_id, network, is_bulk, refused_by,
        string_agg(n::text, ',' order by n) as numbers, string_agg(recipient, ',' order by n) as recipients
      from due join claim using (campaign_id)
      group by claim.id, campaign_id, network, is_bulk, refused_by
      order by is_bulk, campaign_id, min(n)`.execute(tx)
    if (rows.length > 0) await readTexts(tx, texts, [...new Set(rows.map((row) => row.campaign_id))])
    return { claimed: rows, names: await readNames(tx, texts, rows) }
  })
  const claims = new Map<string, Claim>()
  const messages: ClaimedMessage[] = []
  for (const row of claimed) {
    const known = texts.get(row.campaign_id)
    if (!known) throw new Error(`campaign ${row.campaign_id} has messages but no row`)
    const claim = claims.get(row.claim_id) ?? { id: row.claim_id, openCount: 0 }
    claims.set(row.claim_id, claim)
    messages.push(...(await readMessages(row, claim, known, names.get(row))))
  }
  return messages
}

const noText: EncodedText = { encoding: 'gsm7', segments: [], isConcatenated: false, forcedBy: undefined }

function readMessages(row: ClaimedRow, claim: Claim, known: CampaignText, names: Names = []): Promise<ClaimedMessage[]> {
  const { campaign_id: campaignId, network, is_bulk: isBulk, refused_by: refusedBy } = row
  const { sender, message, rule } = known
  const numbers = numbersOf(row)
  claim.openCount += numbers.length
  const textOf = (n: number) => {
    const name = names[n - (numbers[0] ?? 0)]
    return name ? encodeText(fillInName(message, name), rule) : noText
  }
  const read = (recipient: string, index: number): ClaimedMessage => {
    const n = numbers[index] ?? 0
    return { claim, campaignId, n, recipient, network, isBulk, refusedBy, sender, text: known.text ?? textOf(n) }
  }
  return mapInPieces(row.recipients.split(','), read, textsAtOnce)
}

/** Deletes claims that have no open message left, in the transaction that wrote the last answers. */
export async function endClaims(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql`delete from sms_claims where id = any(${ids}::uuid[])`.execute(tx)
}

/** Removes messages from their claims, because another supplier may take them now. */
export async function releaseMessages(tx: Tx, messages: readonly ClaimedMessage[]): Promise<void> {
  if (messages.length === 0) return
  await sql`
    update sms_claims set numbers = array(select unnest(sms_claims.numbers) except select unnest(gone.numbers))
    from (
      select id, array_agg(n) as numbers
      from ${rowsOf(messages, {
        id: ['uuid', ({ claim }) => claim.id],
        n: ['integer', ({ n }) => n],
      }).as('gone')}
      group by id
    ) as gone
    where sms_claims.id = gone.id`.execute(tx)
}

/**
 * Deletes claims that this holder does not know, because the answer to their commit was lost. Such a commit may still be
 * running; the lock of the claims waits until it has ended.
 */
export async function dropUnknownClaims(db: Db, { supplier, token }: LinkHolder, known: readonly Claim[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockClaims(tx)
    await sql`
      delete from sms_claims
      where supplier = ${supplier} and id <> all(${known.map(({ id }) => id)}::uuid[])
        and exists (select from sms_windows where sms_windows.supplier = ${supplier} and holder = ${token})`.execute(tx)
  })
}
