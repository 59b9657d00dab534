/** Every event that an endpoint may ask for, in words for its owner. Names are never changed after a release. */
export const eventTypes = {
  'order.queued': 'An order waits until its number is registered.',
  'order.processing': 'An order was sent.',
  'order.completed': 'An order was delivered.',
  'order.failed': 'An order was not delivered.',
  'order.refunded': 'The money of an order is back.',
  'order.cancelled': 'An AFA registration was cancelled.',
  'campaign.settled': 'An SMS campaign has ended.',
  'message.delivered': 'SMS messages were delivered, up to 100 at once.',
  'message.failed': 'SMS messages were not delivered, up to 100 at once.',
  'wallet.low': 'The wallet is below your limit.',
  'wallet.credited': 'We credited a wallet.',
  'wallet.corrected': 'We corrected a wallet.',
  'top_up.credited': 'A top-up has arrived.',
  'key.approved': 'A key works now.',
  'key.revoked': 'A key works no more.',
  'incident.opened': 'We announced an incident.',
  'incident.closed': 'An incident is over.',
} as const

export type EventType = keyof typeof eventTypes

/** Sent only when the endpoint's owner asks for it, whatever events the endpoint gets. */
export const testEvent = 'webhook.test' as const

export type EventName = EventType | typeof testEvent

export const eventNames = Object.keys(eventTypes) as EventType[]

/** The most messages of one `message.delivered` or `message.failed`. */
export const messagesPerEvent = 100
