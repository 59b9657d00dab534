import type { AnswerMeaning } from '../ports.ts'

/** For each scripted ending: the answer to the purchase, the final status, and the number of deliveries. */
export const endings: readonly {
  ending: string
  send: AnswerMeaning
  status: AnswerMeaning
  deliveries: 0 | 1
}[] = [
  { ending: '000', send: 'accepted', status: 'delivered', deliveries: 1 },
  { ending: '901', send: 'rejected_recipient', status: 'never_received', deliveries: 0 },
  { ending: '902', send: 'accepted', status: 'delivered', deliveries: 1 },
  { ending: '903', send: 'unknown', status: 'delivered', deliveries: 1 },
  { ending: '904', send: 'unknown', status: 'never_received', deliveries: 0 },
  { ending: '905', send: 'unknown', status: 'failed', deliveries: 0 },
  { ending: '906', send: 'rejected_platform', status: 'never_received', deliveries: 0 },
  { ending: '907', send: 'accepted', status: 'failed', deliveries: 0 },
  { ending: '908', send: 'duplicate_exists', status: 'delivered', deliveries: 1 },
  { ending: '909', send: 'unknown', status: 'delivered', deliveries: 1 },
]

/** Outages of the whole simulator, with the possible answers to a purchase. A look-up is always `unknown`. */
export const outages: readonly { outage: string; send: readonly AnswerMeaning[] }[] = [
  { outage: 'hang', send: ['unknown'] },
  { outage: 'refuse', send: ['unknown', 'unreachable'] },
  { outage: 'error', send: ['unknown'] },
  { outage: 'garbage', send: ['unknown'] },
  { outage: 'throttle', send: ['throttled'] },
  { outage: 'unauthorised', send: ['rejected_platform'] },
  { outage: 'disabled', send: ['rejected_platform'] },
]
