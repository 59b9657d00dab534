import { sql } from 'kysely'
import type { Credits } from '../../../money/amount.ts'
import { hashRequest, type Intake, placeOrders } from '../../../orders/intake/place-orders.ts'
import type { OrderItem, RepeatKey } from '../../../orders/order-kind.ts'
import type { Db } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { type Refusal, RefusalError, refusals } from '../../../platform/http/refusals.ts'
import { mapInPieces } from '../../../platform/in-pieces.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import type { Routes } from '../../../suppliers/route-ports.ts'
import { findOptedOut } from '../contacts/opt-outs.ts'
import { type SmsRequest, smsKind } from '../sms.kind.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { smsContentRules, smsEnabled, smsReceiptScore, smsSegmentRule, smsSwitchedOff } from '../sms.settings.ts'
import { type CampaignSource, immediateRecipientsMax } from '../sms-statuses.ts'
import { encodeText } from '../text/encode-text.ts'
import { chooseNames, fillInNames, type NameSource } from '../text/fill-in-names.ts'
import { findBlockingRule } from '../text/find-blocking-rule.ts'
import { readRecipients } from '../text/read-recipients.ts'
import { findSameCampaign } from './find-same-campaign.ts'
import { listSenders } from './list-senders.ts'
import type { CampaignWatch } from './watch-campaigns.ts'
import { type NewCampaign, writeCampaigns } from './write-campaigns.ts'

export type SmsDeps = {
  readonly db: Db
  readonly intake: Intake
  readonly settings: Settings
  readonly routes: Pick<Routes, 'list'>
  readonly campaigns: CampaignWatch
}

export type CampaignRequest = {
  readonly accountId: string
  readonly source: CampaignSource
  /** The person in the app who sends it; undefined for a program. */
  readonly personId?: string | undefined
  readonly message: string
  readonly recipients: string | readonly string[]
  readonly sender?: string | undefined
  readonly reference?: string | undefined
  /** The time to send it. The credits are debited at once. Only for the dashboard (decision M7). */
  readonly scheduledAt?: Date | undefined
  /** The price that the person was shown; undefined for a program. */
  readonly shownPrice?: Credits | undefined
  /** Names to fill in for `{name}`. Undefined: the text is sent unchanged, like every text of a program. */
  readonly nameSource?: NameSource | undefined
}

type SentCampaign = {
  readonly campaignId: string
  readonly isReplay: boolean
  /** Answered as `queued`, even if a worker has started it already (decision M5: large campaigns are answered as queued). */
  readonly isQueued: boolean
}

/**
 * Time for which the caller of a small campaign waits for results. Messages that are open afterwards continue in the
 * background. A request gets 503 after `httpLimits.answerMilliseconds`; the time until then is for reading the results.
 */
const patienceMilliseconds = 8_500

/**
 * Fingerprint of the request as sent; for a campaign with names, without the names and without the order of the numbers.
 * `findSameCampaign` finds a repeat whose recipients are written differently (decisions R2: what counts as the same request;
 * R11: a used SMS reference).
 */
function fingerprintOf({ message, recipients, sender, scheduledAt, nameSource }: CampaignRequest): string {
  const given = typeof recipients === 'string' ? [recipients] : recipients
  const fields = ['sms', message, given, sender ?? null, scheduledAt?.toISOString() ?? null]
  if (!nameSource) return hashRequest(fields)
  // Sorted, because a repeat has the stored numbers in another order. Names are left out: they may change before a repeat.
  return hashRequest(['sms with names', message, given.toSorted(), ...fields.slice(3), nameSource.fallback ?? null])
}

const scheduleDaysMax = 90
/** A campaign may be scheduled up to 90 days ahead, by the database's clock, which also decides when it starts. */
async function canBeScheduled(db: Db, at: Date): Promise<boolean> {
  const { rows } = await sql<{ can_be: boolean }>`
    select ${at}::timestamptz > clock_timestamp()
      and ${at}::timestamptz <= clock_timestamp() + make_interval(days => ${scheduleDaysMax}) as can_be`.execute(db)
  return rows[0]?.can_be === true
}

type Decided = { readonly sender: string; readonly blockedBy: string | undefined; readonly refusal: Refusal | undefined }

/** Texts checked in one turn of the event loop. The content policy takes some 200 µs for each. */
const checkedAtOnce = 25

/**
 * The checks that apply to new campaigns only, not to replays: the switch, the scheduled time, the routes, the sender and the
 * content policy, in this order (decision A4: the order of checks).
 */
async function decideIfNew(deps: SmsDeps, request: CampaignRequest, texts: readonly string[]): Promise<Decided> {
  const [isEnabled, rules, receiptScoreMin, senders, isInTime] = await Promise.all([
    deps.settings.read(smsEnabled),
    deps.settings.read(smsContentRules),
    deps.settings.read(smsReceiptScore),
    listSenders(deps.db, request.accountId),
    request.scheduledAt === undefined || canBeScheduled(deps.db, request.scheduledAt),
  ])
  const wanted = request.sender ?? senders.defaultSender
  const blocks = await mapInPieces(texts, (text) => findBlockingRule(text, { rules, receiptScoreMin }), checkedAtOnce)
  const blockedBy = blocks.find((rule) => rule !== undefined)
  const refuse = (): Refusal | undefined => {
    if (!isEnabled) return smsSwitchedOff
    if (!isInTime) return smsRefusals.notScheduled
    if (!deps.routes.list().some(({ product }) => product === smsKind.name)) return refusals.networkUnavailable('SMS')
    if (!senders.senders.some(({ sender }) => sender === wanted)) return smsRefusals.senderNotApproved
    return blockedBy === undefined ? undefined : smsRefusals.contentBlocked
  }
  return { sender: wanted, blockedBy, refusal: refuse() }
}

function repeatKeyOf(reference: string | undefined): RepeatKey {
  return reference === undefined ? { scope: 'none' } : { scope: 'account', service: 'sms', reference }
}

type NewCampaignBody = Omit<NewCampaign, 'id' | 'accountId' | 'blockedBy' | 'sender'>

type Made = {
  readonly campaign: NewCampaignBody
  /** The different texts that recipients get. */
  readonly texts: readonly string[]
  /** The refusal of the campaign if it is new. It does not apply to a repeat of an earlier one. */
  readonly refusal: Refusal | undefined
}

async function makeCampaign(deps: SmsDeps, request: CampaignRequest): Promise<Made> {
  const given = readRecipients(request.recipients)
  if ('status' in given) throw new RefusalError(given)
  const optedOut = await findOptedOut(deps.db, request.accountId, given)
  const recipients = given.filter((number) => !optedOut.has(number))
  const segmentRule = await deps.settings.read(smsSegmentRule)
  const { source, message, scheduledAt = null, nameSource } = request
  const body = { source, message, segmentRule, recipients, leftOut: [...optedOut], scheduledAt }
  const isNobodyLeft = recipients.length === 0
  const words = nameSource && !isNobodyLeft ? chooseNames(message, recipients, nameSource).words : []
  const names = words.filter((word) => word !== undefined)
  if (names.length === 0 || names.length < words.length) {
    const refusal = isNobodyLeft ? smsRefusals.allOptedOut : words.length > 0 ? smsRefusals.nameMissing : undefined
    return { campaign: { ...body, text: encodeText(message, segmentRule) }, texts: [message], refusal }
  }
  const filled = await fillInNames(message, names, segmentRule)
  return { campaign: { ...body, text: filled.longest, filled }, texts: filled.texts, refusal: undefined }
}

/**
 * Sends a text to many recipients (contract, POST /sms/send). Waits at most 8.5 s for the results of a program's unscheduled
 * campaign with at most 500 recipients that no quiet hours delay; queues all others. A repeat with the same reference and body
 * returns the original campaign.
 * @throws RefusalError as the contract's error table says; no credits have moved, except perhaps with `outcome_unknown`
 */
export async function sendCampaign(deps: SmsDeps, request: CampaignRequest): Promise<SentCampaign> {
  const answerBy = performance.now() + patienceMilliseconds
  const made = await makeCampaign(deps, request)
  const { sender, blockedBy, refusal } = await decideIfNew(deps, request, made.texts)
  const campaign = { ...made.campaign, sender }
  const all = [...campaign.recipients, ...campaign.leftOut]
  const orderId = newId()
  const { accountId, reference } = request
  const item: OrderItem<SmsRequest> = {
    orderId,
    accountId,
    personId: request.personId,
    kind: smsKind.name,
    reference: reference ?? orderId,
    repeatKey: repeatKeyOf(reference),
    fingerprint: fingerprintOf(request),
    shownPrice: request.shownPrice,
    request: {
      campaign,
      isSenderNamed: request.sender !== undefined,
      refusalIfNew: refusal ?? made.refusal,
    },
  }
  const outcome = await placeOrders(deps.intake, accountId, [item])
  if ('refusal' in outcome) {
    if (outcome.refusal === refusals.referenceTaken && reference !== undefined) {
      const { message, scheduledAt } = campaign
      const repeated = { accountId, reference, message, recipients: all, sender: request.sender, scheduledAt }
      const campaignId = await findSameCampaign(deps.db, repeated)
      if (campaignId !== undefined) return { campaignId, isReplay: true, isQueued: false }
    }
    // A blocked campaign is stored, but it is no order: it uses no reference and costs nothing (decisions M4, R3).
    if (outcome.refusal === smsRefusals.contentBlocked && blockedBy !== undefined) {
      await writeCampaigns(deps.db, [{ ...campaign, id: orderId, accountId, blockedBy }])
    }
    throw new RefusalError(outcome.refusal)
  }
  const [placement] = outcome.placements
  if (!placement) throw new Error('a campaign was placed without an order')
  const { isReplay } = placement
  // A person sees the results appear on the page; a program waits for them in the answer.
  const isImmediate =
    campaign.source === 'api' &&
    campaign.recipients.length <= immediateRecipientsMax &&
    campaign.scheduledAt === null &&
    (await findQuietEnd(deps.db, all.length)) === null
  if (!isReplay && isImmediate) {
    await deps.campaigns.settled(placement.order.id, Math.max(0, answerBy - performance.now()))
  }
  return { campaignId: placement.order.id, isReplay, isQueued: !isReplay && !isImmediate }
}

/**
 * Finds the end of the quiet hours that delay a campaign.
 * @param numbers how many numbers were requested, opted-out ones included; a text to one number is never delayed
 * @param at the planned time of sending; undefined: now
 * @returns null when nothing delays it
 */
export async function findQuietEnd(db: Db, numbers: number, at?: Date): Promise<Date | null> {
  if (numbers < 2) return null
  const { rows } = await sql<{ ends_at: Date | null }>`
    select quiet_until(coalesce(${at ?? null}::timestamptz, clock_timestamp())) as ends_at`.execute(db)
  return rows[0]?.ends_at ?? null
}
