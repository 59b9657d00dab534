import { encodeText } from '../../products/sms/text/encode-text.ts'
import type { DemoCampaign, DemoMessage } from './demo-rows.ts'
import type { DemoWorld } from './demo-world.ts'
import { type DemoSale, type InventedOrder, inventOrder } from './invent-order.ts'

export type CampaignEnding = 'accepted' | 'partly_refused' | 'refused' | 'underway' | 'scheduled'

const day = 86_400_000

export type Texting = { readonly message: string; readonly recipients: readonly string[]; readonly sender: string }

const texts = [
  'Your bundle is active. Thank you for buying from us!',
  'Weekend offer: 5GB at the price of 4GB until Sunday. Reply or call to order.',
  'Akwaaba! Yɛn nhyehyɛe foforɔ no aba. Frɛ yɛn na tɔ wo data ntɛm.',
  'Church service starts at 9am this Sunday. All are welcome. Please come early and bring a friend along with you for the thanksgiving service, the choir sings and there is food for everybody afterwards.',
  'Fees for the term are due on Friday. Pay at the school office or by mobile money.',
]

export function inventTexting(world: DemoWorld, recipients: readonly string[]): Texting {
  return { message: world.chance.pick(texts), recipients, sender: 'Makola' }
}

/** The price of a campaign in credits. */
export function creditsOfTexting({ message, recipients }: Texting): number {
  return encodeText(message, 'standard').segments.length * recipients.length
}

function networkOf(recipient: string): string {
  const prefix = recipient.slice(3, 5)
  if (['20', '50'].includes(prefix)) return 'Telecel'
  return ['26', '27', '56', '57'].includes(prefix) ? 'AT' : 'MTN'
}

function inventMessages(world: DemoWorld, sale: DemoSale, texting: Texting, ending: CampaignEnding): DemoMessage[] {
  const { chance, until } = world
  return texting.recipients.map((recipient, index) => {
    const sentAt = Math.min(sale.at + 400 + index * 30, until)
    const isRefused = ending === 'refused' || (ending === 'partly_refused' && index % 5 === 0)
    const isOpen = ending === 'underway' && index === 0
    const taken = chance.weigh({ delivered: 92, undelivered: 3, expired: 2, sent: 3 })
    const status = isRefused ? 'failed' : isOpen ? 'queued' : taken
    return {
      campaignId: sale.id,
      n: index + 1,
      recipient,
      network: networkOf(recipient),
      status,
      submit: isOpen ? 'unanswered' : 'answered',
      reason: isRefused ? 'ESME_RINVDSTADR' : null,
      at: sentAt,
      statusAt: Math.min(sentAt + (status === 'delivered' ? chance.between(2, 90) * 1_000 : 0), until),
    }
  })
}

/** Ends the order of a campaign, and refunds the credits of refused texts. @returns the number of credits */
function settle(world: DemoWorld, order: InventedOrder, at: number, refunded: number): number {
  const { sale } = order
  if (refunded === sale.price) {
    if (order.move(at, 'failed', null)) order.refund(at)
    return refunded
  }
  order.move(at, 'completed', null)
  if (refunded > 0) {
    const transfer = { causeId: sale.id, kind: 'sms_refund', accountId: sale.account.id, amount: refunded } as const
    world.agenda.add(at, () => world.post(at, { ...transfer, fromPurse: 'sms_sales', toPurse: 'sms_credits' }))
  }
  return refunded
}

/** Invents a campaign from its placing to its settlement, or to the history's end. Its credits must be paid. */
export function inventCampaign(world: DemoWorld, sale: DemoSale, texting: Texting, ending: CampaignEnding): void {
  const { encoding, segments } = encodeText(texting.message, 'standard')
  const settledAt = sale.at + 2_000 + texting.recipients.length * 40
  const isExpanded = ending !== 'scheduled'
  const isSettled = isExpanded && ending !== 'underway' && settledAt <= world.until
  const order = inventOrder(world, sale, 'pending')
  if (isExpanded) order.move(Math.min(sale.at + 150, world.until), 'processing', null)
  // Messages that would end after the history's end are still under way.
  const messages = isExpanded ? inventMessages(world, sale, texting, isSettled ? ending : 'underway') : []
  world.rows.messages.push(...messages)
  const refused = messages.filter(({ status }) => status === 'failed').length
  const refunded = isSettled ? settle(world, order, settledAt, refused * segments.length) : 0
  const campaign: DemoCampaign = {
    id: sale.id,
    accountId: sale.account.id,
    source: 'api',
    segmentRule: 'standard',
    ...texting,
    encoding,
    segments: segments.length,
    recipientsCount: texting.recipients.length,
    creditsCharged: sale.price,
    status: isSettled ? (refunded === sale.price ? 'failed' : 'completed') : isExpanded ? 'processing' : 'queued',
    creditsRefunded: refunded,
    openCount: isSettled ? 0 : isExpanded ? 1 : texting.recipients.length,
    at: sale.at,
    scheduledAt: isExpanded ? null : world.until + day,
    expandedAt: isExpanded ? Math.min(sale.at + 150, world.until) : null,
    settledAt: isSettled ? settledAt : null,
  }
  world.rows.campaigns.push(campaign)
  order.end({ route: 'loop/sms', nextStepAt: null, attemptId: null, holdReason: null })
}

/** Invents a campaign that the content rules stopped: it makes no order and costs nothing. */
export function inventBlockedCampaign(world: DemoWorld, sale: Pick<DemoSale, 'id' | 'account' | 'at'>, count: number): void {
  const message = 'You have received GHS 500.00 from MTN MobileMoney. Your new balance is GHS 1,250.00.'
  const { encoding, segments } = encodeText(message, 'standard')
  world.rows.campaigns.push({
    id: sale.id,
    accountId: sale.account.id,
    source: 'api',
    segmentRule: 'standard',
    sender: 'Makola',
    message,
    recipients: [],
    encoding,
    segments: segments.length,
    recipientsCount: count,
    creditsCharged: 0,
    creditsRefunded: 0,
    openCount: 0,
    status: 'blocked',
    blockedBy: 'payment_receipt',
    at: sale.at,
    scheduledAt: null,
    expandedAt: null,
    settledAt: null,
  })
}
