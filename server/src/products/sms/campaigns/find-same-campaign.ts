import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { readSmsDetails } from '../sms.kind.ts'

/** A repeated request for a campaign, under a reference of its account. */
export type RepeatedCampaign = {
  readonly accountId: string
  readonly reference: string
  readonly message: string
  /** All recipients of the request, opted-out ones included. Unique; each is 233 and nine digits. */
  readonly recipients: readonly string[]
  /** The sender that the request names; undefined for the account's default. */
  readonly sender: string | undefined
  readonly scheduledAt: Date | null
}

type Stored = {
  id: string
  message: string
  recipients: string[]
  left_out: string[]
  sender: string
  scheduled_at: Date | null
  details: Record<string, unknown>
}

/** True when the repeated request names the same sender, or when neither request names one. */
function isSameSender(stored: Stored, sender: string | undefined): boolean {
  const { isSenderNamed } = readSmsDetails(stored)
  return isSenderNamed ? stored.sender === sender : sender === undefined
}

function isSame(stored: Stored, repeated: RepeatedCampaign): boolean {
  const numbers = new Set([...stored.recipients, ...stored.left_out])
  return (
    stored.message === repeated.message &&
    stored.scheduled_at?.getTime() === repeated.scheduledAt?.getTime() &&
    isSameSender(stored, repeated.sender) &&
    numbers.size === repeated.recipients.length &&
    repeated.recipients.every((number) => numbers.has(number))
  )
}

/**
 * Finds the campaign of a reference, if its text, time, sender and recipients are the same; recipients may differ in notation
 * and order (decision R2: what counts as the same request). Compares with the stored rows, so it works for campaigns of any
 * age. For a campaign with names, only the fingerprint shows a repeat.
 * @returns its id; undefined when the reference belongs to a different campaign, or to none
 */
export async function findSameCampaign(db: Db, repeated: RepeatedCampaign): Promise<string | undefined> {
  const { rows } = await sql<Stored>`
    select campaign.id, campaign.message, campaign.recipients, campaign.left_out, campaign.sender, campaign.scheduled_at, orders.details
    from account_references as held
      join sms_campaigns as campaign on campaign.id = held.order_id
      join orders on orders.id = held.order_id
    where held.account_id = ${repeated.accountId} and held.service = 'sms' and held.reference = ${repeated.reference}
      and segments_of_each is null`.execute(db)
  const [stored] = rows
  return stored && isSame(stored, repeated) ? stored.id : undefined
}
