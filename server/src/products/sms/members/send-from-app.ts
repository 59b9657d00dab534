import { sql } from 'kysely'
import type { Credits } from '../../../money/amount.ts'
import { RefusalError } from '../../../platform/http/refusals.ts'
import { type SmsDeps, sendCampaign } from '../campaigns/send-campaign.ts'
import { readListedRecipients } from '../contacts/contact-lists.ts'
import { findSavedNames } from '../contacts/find-names.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { hasNameToken, type NameSource } from '../text/fill-in-names.ts'
import { type CleanedRecipients, cleanRecipients } from '../text/read-contact-lines.ts'
import { recipientsMax } from '../text/read-recipients.ts'

/** A person's recipients: pasted numbers, and lists. */
export type RecipientSelection = { readonly accountId: string; readonly recipients: string; readonly listIds: readonly string[] }

/** A campaign as a person confirmed it on the page. */
export type ConfirmedCampaign = RecipientSelection & {
  readonly personId: string
  readonly message: string
  readonly sender: string | undefined
  readonly reference: string
  readonly scheduledAt: Date | undefined
  /** Written in place of `{name}` where a number has no saved name. */
  readonly nameFallback: string | undefined
  /** The price that the page showed. */
  readonly credits: Credits
}

/**
 * Cleans pasted numbers and those of lists.
 * @throws RefusalError when one of the lists is not the account's
 */
export async function readSelectedRecipients(deps: Pick<SmsDeps, 'db'>, reach: RecipientSelection): Promise<CleanedRecipients> {
  const listed = await readListedRecipients(deps.db, reach.accountId, reach.listIds)
  return cleanRecipients(reach.recipients, listed)
}

/**
 * Finds the names to fill in: one that is written beside its number, else a saved one.
 * @returns undefined when the text has no `{name}`
 */
export async function findNames(
  { db }: Pick<SmsDeps, 'db'>,
  { message, accountId, listIds, nameFallback }: Pick<ConfirmedCampaign, 'message' | 'accountId' | 'listIds' | 'nameFallback'>,
  { recipients, names }: Pick<CleanedRecipients, 'recipients' | 'names'>,
): Promise<NameSource | undefined> {
  if (!hasNameToken(message)) return undefined
  const saved = await findSavedNames(db, accountId, { recipients, listIds })
  return { names: new Map([...saved, ...names]), fallback: nameFallback }
}

/**
 * Finds the numbers of an earlier campaign with this reference; undefined: there is none. A list may have changed since then.
 */
async function findPlaced(
  deps: Pick<SmsDeps, 'db'>,
  { accountId, reference }: ConfirmedCampaign,
): Promise<Pick<CleanedRecipients, 'recipients' | 'names'> | undefined> {
  const { rows } = await sql<{ recipients: string[] }>`
    select campaign.recipients || campaign.left_out as recipients from account_references as held join sms_campaigns as campaign on campaign.id = held.order_id
    where held.account_id = ${accountId} and held.service = 'sms' and held.reference = ${reference}`.execute(deps.db)
  return rows[0] && { recipients: rows[0].recipients, names: new Map() }
}

async function readConfirmed(deps: SmsDeps, campaign: ConfirmedCampaign): Promise<CleanedRecipients> {
  const reached = await readSelectedRecipients(deps, campaign)
  if (reached.recipients.length === 0) throw new RefusalError(smsRefusals.noRecipients)
  if (reached.recipients.length > recipientsMax) throw new RefusalError(smsRefusals.tooManyRecipients)
  return reached
}

/**
 * Sends or schedules a confirmed campaign, once per reference. A repeat returns the same campaign, even when one of its lists
 * has changed meanwhile.
 * @throws RefusalError as `POST /sms/send`, and when the price differs from the one that the page showed; no credits have
 *   moved, except perhaps with `outcome_unknown`
 */
export async function sendFromApp(
  deps: SmsDeps,
  campaign: ConfirmedCampaign,
): Promise<{ campaignId: string; isReplay: boolean }> {
  const reached = (await findPlaced(deps, campaign)) ?? (await readConfirmed(deps, campaign))
  const { accountId, personId, message, sender, reference, scheduledAt, credits } = campaign
  const { recipients } = reached
  const nameSource = await findNames(deps, campaign, reached)
  const campaignRequest = {
    accountId,
    personId,
    message,
    recipients,
    sender,
    reference,
    scheduledAt,
    shownPrice: credits,
    nameSource,
  }
  return sendCampaign(deps, { ...campaignRequest, source: 'dashboard' })
}
