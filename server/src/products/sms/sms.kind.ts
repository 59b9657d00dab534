import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { createDetailsReader } from '../../orders/create-details-reader.ts'
import type { OrderKind } from '../../orders/order-kind.ts'
import { ownLoopRoute } from '../../orders/routes-without-suppliers.ts'
import type { Refusal } from '../../platform/http/refusals.ts'
import { creditsOf, type NewCampaign, writeCampaigns } from './campaigns/write-campaigns.ts'
import { smsRefusals } from './sms.refusals.ts'

/** A requested campaign, with the facts that this process knew when the request came. */
export type SmsRequest = {
  readonly campaign: Omit<NewCampaign, 'id' | 'accountId'>
  readonly isSenderNamed: boolean
  /** The refusal of the switch, the routes, the sender or the content policy, if any. It does not apply to a replay. */
  readonly refusalIfNew: Refusal | undefined
}

/** The rest of a campaign is in its own row of `sms_campaigns`. */
const SmsDetails = Type.Object({
  sender: Type.String(),
  /** True: the request named the sender. False: it was the account's default. */
  isSenderNamed: Type.Boolean(),
  segments: Type.Integer(),
  recipients: Type.Integer(),
})

type SmsDetails = Static<typeof SmsDetails>

export const readSmsDetails = createDetailsReader('sms', SmsDetails)

type SmsRead = { readonly businesses: ReadonlySet<string> }

/** A campaign, as the intake sees it: one order, paid in credits, whose recipients are stored with it. */
export const smsKind: OrderKind<SmsRequest, SmsRead> = {
  name: 'sms',
  unit: 'credits',
  insufficientFunds: smsRefusals.insufficientCredits,
  async read(tx, items) {
    const accountIds = [...new Set(items.map((item) => item.accountId))]
    const { rows } = await sql<{ id: string }>`
      select id from accounts where id = any(${accountIds}::uuid[]) and is_business`.execute(tx)
    return { businesses: new Set(rows.map((row) => row.id)) }
  },
  decide({ accountId, request }, _view, { businesses }) {
    if (!businesses.has(accountId)) return { refusal: smsRefusals.businessAccountNeeded }
    if (request.refusalIfNew) return { refusal: request.refusalIfNew }
    const { campaign } = request
    const [first = ''] = campaign.recipients
    const details: SmsDetails = {
      sender: campaign.sender,
      isSenderNamed: request.isSenderNamed,
      segments: campaign.text.segments.length,
      recipients: campaign.recipients.length,
    }
    return {
      status: 'pending',
      price: creditsOf(campaign),
      recipient: first,
      route: ownLoopRoute('sms'),
      details,
    }
  },
  fork: (read) => read,
  take: () => undefined,
  write: (tx, accepted) =>
    writeCampaigns(
      tx,
      accepted.map(({ orderId, accountId, request }) => ({ ...request.campaign, id: orderId, accountId })),
    ),
}
