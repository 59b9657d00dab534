import { type EventType, eventNames, eventTypes, messagesPerEvent } from './event-types.ts'

const text = (description: string) => ({ type: 'string', description })
const uuid = (description: string) => ({ type: 'string', format: 'uuid', description })
const moment = (description: string) => ({ type: 'string', format: 'date-time', description })
const amount = (description: string) => ({ type: 'number', description })
const orNull = (description: string) => ({ type: ['string', 'null'], description })
const unit = { type: 'string', enum: ['GHS', 'credits'], description: 'Of the amounts.' }

const orderFields = {
  order_id: uuid('The order.'),
  reference: text('Your reference.'),
  product: text('What was bought, as `GET /orders` names it.'),
  status: text('The status that this event tells of.'),
  network: orNull('The network, or the biller of a bill.'),
  package: orNull('The size of a bundle or the type of a voucher.'),
  price: amount('What was charged, in `unit`.'),
  unit,
  created_at: moment('When the order was placed.'),
}

const moneyFields = {
  purse: text('Which purse.'),
  transaction_no: { type: 'integer', description: 'Its number in `GET /wallet/transactions`.' },
  amount: amount('Above 0: it came in. Below 0: it went out.'),
  balance_after: amount('What the purse held then.'),
  unit,
  cause_id: uuid('What caused it.'),
  reference: orNull('The reference of a top-up.'),
}

const messageFields = (statuses: readonly string[]) => ({
  campaign_id: uuid('The campaign, as `POST /sms/send` answered it.'),
  reference: text('Your reference.'),
  messages: {
    type: 'array',
    minItems: 1,
    maxItems: messagesPerEvent,
    description: 'Those that have ended, each once.',
    items: {
      type: 'object',
      required: ['place', 'status', 'at'],
      properties: {
        place: {
          type: 'integer',
          minimum: 1,
          description: 'Among the recipients, counted from 1 without doubles, as `GET /sms/messages/{id}` lists them.',
        },
        status: { type: 'string', enum: statuses, description: 'How it ended.' },
        at: moment('When we learnt it.'),
      },
    },
  },
})

const keyFields = { key_id: uuid('The key.'), key_type: text('Its type.'), key_hint: text('Its last four characters.') }

const fieldsByType: Readonly<Record<EventType, object>> = {
  'order.queued': orderFields,
  'order.processing': orderFields,
  'order.completed': orderFields,
  'order.failed': orderFields,
  'order.refunded': orderFields,
  'order.cancelled': orderFields,
  'campaign.settled': orderFields,
  'message.delivered': messageFields(['delivered']),
  'message.failed': messageFields(['undelivered', 'failed', 'expired', 'rejected']),
  'wallet.low': { balance: amount('What the main wallet holds.'), limit: amount('Below which you asked to be told.'), unit },
  'wallet.credited': moneyFields,
  'wallet.corrected': moneyFields,
  'top_up.credited': moneyFields,
  'key.approved': keyFields,
  'key.revoked': keyFields,
  'incident.opened': {
    incident_id: uuid('The incident.'),
    level: text('How bad it is.'),
    message: text('What is wrong, for people.'),
    from: moment('Since when.'),
    until: { type: ['string', 'null'], format: 'date-time', description: 'When it ends by itself; null: when somebody ends it.' },
  },
  'incident.closed': { incident_id: uuid('The incident.') },
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const signedHeaders = [
  header('webhook-id', 'Names the event. The same for every try: what you have taken already, you leave out.'),
  header('webhook-timestamp', 'Seconds since 1970 when this try was signed.'),
  header(
    'webhook-signature',
    'One or several `v1,` and an HMAC-SHA256 in base64, with a blank between them (Standard Webhooks).',
  ),
]

function bodyOf(type: EventType) {
  const fields = fieldsByType[type]
  return {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: type, description: 'What happened.' },
      timestamp: moment('When it happened.'),
      data: { type: 'object', required: Object.keys(fields), properties: fields, description: 'What it is about.' },
    },
  }
}

/** Such as `receiveOrderQueued` for `order.queued`. */
const operationIdOf = (type: EventType) =>
  `receive${type.replaceAll(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())}`

/** The requests that endpoints of resellers get, as the `webhooks` of the OpenAPI document. */
export const describeWebhooks = () =>
  Object.fromEntries(
    eventNames.map((type) => [
      type,
      {
        post: {
          operationId: operationIdOf(type),
          tags: ['Webhooks'],
          summary: eventTypes[type],
          description: `Sent to each endpoint that asked for it, at least once. ${eventTypes[type]}`,
          security: [],
          parameters: signedHeaders,
          requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type) } } },
          responses: { '2XX': { description: 'Taken. Anything else, and no answer within 10 seconds, is tried again.' } },
        },
      },
    ]),
  )
