import { encodeText } from '../../products/sms/text/encode-text.ts'
import type { DemoHistory } from './demo-history.ts'
import { type DemoAccount, networkOf } from './invent-accounts.ts'
import { type DemoOrder, move, postRefund, refund } from './invent-order.ts'

/** A campaign that is being invented; recipients with 10 digits. */
export type InventedCampaign = { readonly message: string; readonly recipients: readonly string[] }

export type CampaignEnding = 'accepted' | 'partly_refused' | 'refused' | 'underway' | 'scheduled'

const sender = 'Makola'

const texts = [
  'Your bundle is active. Thank you for buying from us!',
  'Weekend offer: 5GB at the price of 4GB until Sunday. Reply or call to order.',
  'Akwaaba! Yɛn nhyehyɛe foforɔ no aba. Frɛ yɛn na tɔ wo data ntɛm.',
  'Church service starts at 9am this Sunday. All are welcome. Please come early and bring a friend along with you for the thanksgiving service, the choir sings and there is food for everybody afterwards.',
  'Fees for the term are due on Friday. Pay at the school office or by mobile money.',
]

export function inventCampaign({ chance }: DemoHistory, { recipients }: DemoAccount): InventedCampaign {
  return { message: chance.pick(texts), recipients: [...new Set(recipients)].slice(0, chance.between(3, 24)) }
}

const encode = (message: string) => encodeText(message, 'standard')

/** The price in credits, and the `details` that the campaign's order stores. */
export function priceCampaign({ message, recipients }: InventedCampaign) {
  const segments = encode(message).segments.length
  return {
    price: segments * recipients.length,
    details: { sender, isSenderNamed: false, segments, recipients: recipients.length },
  }
}

type CampaignFacts = { readonly account: DemoAccount; readonly at: number; readonly message: string; readonly count: number }

/** The columns that every invented campaign fills. */
function describeCampaign({ account, at, message, count }: CampaignFacts) {
  const { encoding, segments } = encode(message)
  return {
    account_id: account.id,
    source: 'api' as const,
    segment_rule: 'standard' as const,
    sender,
    message,
    encoding,
    segments: segments.length,
    recipients_count: count,
    is_bulk: false,
    created_at: new Date(at),
  }
}

/** Adds the messages of a campaign. @returns how many of them were refused, and how many are open */
function addMessages(order: DemoOrder, texting: InventedCampaign, ending: CampaignEnding) {
  const { chance, until } = order.history
  const counts = { refused: 0, open: 0 }
  for (const [index, recipient] of texting.recipients.entries()) {
    const sentAt = Math.min(order.at + 250 + index * 30, until)
    const isRefused = ending === 'refused' || (ending === 'partly_refused' && index % 5 === 0)
    const isOpen = ending === 'underway' && index === 0
    const taken = chance.pickWeighted([
      ['delivered', 92],
      ['undelivered', 3],
      ['expired', 2],
      ['sent', 3],
    ] as const)
    const status = isRefused ? 'failed' : isOpen ? 'queued' : taken
    const statusAt = Math.min(sentAt + (status === 'delivered' ? chance.between(2, 90) * 1_000 : 0), until)
    if (isRefused) counts.refused += 1
    if (isOpen) counts.open += 1
    order.history.add('sms_messages', {
      campaign_id: order.id,
      n: index + 1,
      recipient: `233${recipient.slice(1)}`,
      network: networkOf(recipient),
      is_bulk: false,
      status,
      submit: isOpen ? 'unanswered' : 'answered',
      refused_by: '{}',
      supplier: 'smsc',
      claimed_at: new Date(sentAt),
      reason: isRefused ? 'ESME_RINVDSTADR' : null,
      created_at: new Date(sentAt),
      status_updated_at: new Date(statusAt),
    })
  }
  return counts
}

/** Invents the life of a campaign, from its placing to its settlement or to the history's end. */
export function inventCampaignEvents(order: DemoOrder, texting: InventedCampaign, wanted: CampaignEnding): void {
  const { history, sale } = order
  const { message, recipients } = texting
  const settlesAt = sale.at + 2_000 + recipients.length * 40
  // A campaign that would be settled after the history's end is still under way.
  const ending = wanted !== 'scheduled' && settlesAt > history.until ? 'underway' : wanted
  const isScheduled = ending === 'scheduled'
  const isSettled = !isScheduled && ending !== 'underway'
  if (!isScheduled) move(order, 'processing', null)
  const { refused, open } = isScheduled ? { refused: 0, open: recipients.length } : addMessages(order, texting, ending)
  const refunded = isSettled ? (refused * sale.price) / recipients.length : 0
  const isRefused = refunded === sale.price
  if (isSettled) {
    order.at = settlesAt
    move(order, isRefused ? 'failed' : 'completed', null)
    if (isRefused) refund(order)
    else if (refunded > 0) postRefund(order, 'sms_refund', refunded)
  }
  history.add('sms_campaigns', {
    ...describeCampaign({ account: sale.account, at: sale.at, message, count: recipients.length }),
    id: order.id,
    recipients: recipients.map((number) => `233${number.slice(1)}`),
    credits_charged: sale.price,
    status: isScheduled ? 'queued' : !isSettled ? 'processing' : isRefused ? 'failed' : 'completed',
    credits_refunded: refunded,
    open_count: open,
    blocked_by: null,
    scheduled_at: isScheduled ? new Date(history.until + 86_400_000) : null,
    expanded_at: isScheduled ? null : new Date(sale.at),
    settled_at: isSettled ? new Date(settlesAt) : null,
  })
}

/** Adds a campaign that the content rules stopped: it makes no order and costs nothing. */
export function addBlockedCampaign(history: DemoHistory, account: DemoAccount, at: number): void {
  const message = 'You have received GHS 500.00 from MTN MobileMoney. Your new balance is GHS 1,250.00.'
  const { chance } = history
  history.add('sms_campaigns', {
    ...describeCampaign({ account, at, message, count: chance.between(5, 60) }),
    id: chance.idAt(at),
    recipients: [],
    credits_charged: 0,
    status: 'blocked',
    open_count: 0,
    blocked_by: 'payment_receipt',
  })
}
