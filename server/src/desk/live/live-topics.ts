/** The topics of the desk's screens. The desk's pages use the same names for their queries. */
export const liveTopics = [
  'needs',
  'today',
  'orders',
  'sms',
  'approvals',
  'accounts',
  'keys',
  'webhooks',
  'business',
  'top-ups',
  'senders',
  'notices',
  'problems',
  'packages',
  'vouchers',
  'afa',
  'numbers',
  'switches',
  'suppliers',
  'reconcile',
  'reports',
  'alarms',
  'log',
  'staff',
] as const

export type LiveTopic = (typeof liveTopics)[number]

/** The topics of an action in the operator's log, by its first word. Every action also changes the topics `log` and `needs`. */
const topicsOfActions: Readonly<Record<string, readonly LiveTopic[]>> = {
  account: ['accounts', 'business', 'keys'],
  afa: ['afa', 'orders'],
  alert: ['alarms'],
  commission: ['accounts', 'switches'],
  gateway: ['top-ups'],
  incident: ['notices'],
  key: ['keys', 'accounts'],
  member: ['accounts'],
  notice: ['notices'],
  order: ['orders', 'approvals'],
  packages: ['packages'],
  ported: ['numbers'],
  prefix: ['numbers'],
  problem: ['problems'],
  reconcile: ['reconcile'],
  report: ['reports'],
  route: ['suppliers'],
  sender: ['senders'],
  setting: ['switches'],
  sms: ['sms', 'accounts', 'approvals'],
  staff: ['staff'],
  supplier: ['suppliers', 'reconcile'],
  'top-up': ['top-ups', 'accounts', 'approvals'],
  voucher: [],
  'voucher-type': ['vouchers'],
  vouchers: ['vouchers', 'approvals'],
  wallet: ['accounts', 'approvals'],
  webhook: ['webhooks'],
}

/**
 * The topics of an action. An unknown first word counts for all topics: too many screens that read again are better than too
 * few.
 */
export function topicsOfAction(firstWord: string): readonly LiveTopic[] {
  const topics = topicsOfActions[firstWord]
  return topics ? [...topics, 'log', 'needs'] : liveTopics
}
