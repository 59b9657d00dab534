import type { components } from '../../both/api/dashboard-api.d.ts'
import type { Tone } from '../../both/list/state.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { formatLasting } from './format-figures.ts'

type Line = components['schemas']['DeskOrderLine']
type Order = components['schemas']['DeskOrder']
type WhyCode = NonNullable<Line['why']>['code']

export const stateWords: Readonly<Record<Line['status'], { readonly word: string; readonly tone: Tone }>> = {
  queued: { word: 'Queued', tone: 'wait' },
  pending: { word: 'Waiting', tone: 'wait' },
  processing: { word: 'Processing', tone: 'wait' },
  completed: { word: 'Completed', tone: 'done' },
  failed: { word: 'Failed', tone: 'fail' },
  refunded: { word: 'Refunded', tone: 'fail' },
  cancelled: { word: 'Cancelled', tone: 'plain' },
}

const hourMilliseconds = 3_600_000

/** How long ago a moment was, without the word "ago": `2 h`, `35 min`, `3 days`. */
export function elapsedSince(since: string, now = Date.now()): string {
  const hours = (now - Date.parse(since)) / hourMilliseconds
  if (hours < 1) return `${Math.max(1, Math.round(hours * 60))}\u00A0min`
  return hours < 48 ? `${Math.round(hours)}\u00A0h` : `${Math.round(hours / 24)}\u00A0days`
}

type WhyWords = { readonly short: (since: string) => string; readonly next: string; readonly tone: Tone }

/** Why an order waits, and what can be done. */
export const whyWords: Readonly<Record<WhyCode, WhyWords>> = {
  no_word: {
    short: (since) => `No word for ${elapsedSince(since)}`,
    next: 'The supplier has not said how it ended. Ask its people about our reference, then settle.',
    tone: 'wait',
  },
  unknown_to_supplier: {
    short: () => 'Unknown to supplier',
    next: 'The supplier does not find our reference. That alone is no proof: ask its people, then settle.',
    tone: 'wait',
  },
  cannot_ask: {
    short: () => 'Cannot be asked about',
    next: 'The supplier answers no question of a program about it: ask its people, then settle.',
    tone: 'wait',
  },
  not_registered: {
    short: () => 'Number waits for registration',
    next: 'MTN does not know the number as registered. It goes on by itself, or fails with its money back.',
    tone: 'wait',
  },
  float_empty: { short: () => 'Our float is empty', next: 'Top the float up: it goes on by itself.', tone: 'fail' },
  credentials_refused: {
    short: () => 'Our credentials are refused',
    next: 'Correct the credentials of the supplier: it goes on by itself.',
    tone: 'fail',
  },
  account_disabled: {
    short: () => 'Our account there is disabled',
    next: 'Ask the supplier why. It goes on by itself when the account works again.',
    tone: 'fail',
  },
  supplier_silent: {
    short: () => 'Supplier does not answer',
    next: 'Its routes are paused until it answers again; then it goes on by itself.',
    tone: 'fail',
  },
  supplier_refuses_us: {
    short: () => 'Supplier refuses us',
    next: 'The supplier refuses us, not this order. See the alarms; it goes on by itself when that is mended.',
    tone: 'fail',
  },
  paused_by_person: {
    short: () => 'We paused the route',
    next: 'One of the staff paused the route. It goes on when the route is resumed.',
    tone: 'wait',
  },
  route_paused: { short: () => 'Route is paused', next: 'It goes on by itself when the route opens again.', tone: 'wait' },
  supplier_unreachable: {
    short: () => 'Supplier not reached',
    next: 'No connection could be made, so nothing was sent. It goes on by itself.',
    tone: 'wait',
  },
  throttled: { short: () => 'Sent too fast', next: 'The supplier asks us to be slower. It goes on by itself.', tone: 'wait' },
  route_missing: { short: () => 'No route', next: 'Nothing leads to a supplier any more. Make a route for it.', tone: 'fail' },
  supplier_missing: {
    short: () => 'No supplier',
    next: 'The supplier of its route is gone. Make a route to another.',
    tone: 'fail',
  },
  not_offered: {
    short: () => 'Nobody offers it',
    next: 'No supplier offers this package. Add an offer to the price list.',
    tone: 'fail',
  },
  request_rejected: {
    short: () => 'Our request is refused',
    next: 'A supplier refused what we ask for this package. See the alarms for the closed offer.',
    tone: 'fail',
  },
  no_worker: {
    short: () => 'No worker takes it',
    next: 'It is due, and no worker has taken it. See whether workers run.',
    tone: 'fail',
  },
  waits_for_people: { short: () => 'Waits for people', next: 'People work on it, in the queue of its product.', tone: 'wait' },
  not_refunded: { short: () => 'Not refunded yet', next: 'It failed, and its money is not back. Refund it below.', tone: 'fail' },
}

const supplierNames: Readonly<Record<string, string>> = { datamart: 'DataMart', datakazina: 'DataKazina', hubtel: 'Hubtel' }

/** The name of a supplier as the supplier writes it. */
export const supplierName = (name: string): string => supplierNames[name] ?? name

type AnswerWords = { readonly says: string; readonly means?: string; readonly tone: Tone }

/** The meaning of each answer of a supplier for the order. */
export const answerWords: Readonly<Record<string, AnswerWords>> = {
  delivered: { says: 'delivered', means: 'Proof of delivery.', tone: 'done' },
  accepted: { says: 'taken', means: 'Taken, not delivered yet. It is asked about.', tone: 'done' },
  duplicate_exists: { says: 'has this reference already', means: 'It took it the first time.', tone: 'done' },
  failed: { says: 'failed', means: 'Definitive: nothing was delivered.', tone: 'fail' },
  rejected_recipient: { says: 'refuses the number', means: 'Definitive: nothing was delivered.', tone: 'fail' },
  rejected_request: { says: 'refuses the request', means: 'Definitive for this request.', tone: 'fail' },
  rejected_platform: {
    says: 'refuses us',
    means: 'About our float, credentials or account, not about this order.',
    tone: 'fail',
  },
  not_registered: { says: 'the number is not registered', means: 'It waits until the number is registered.', tone: 'wait' },
  throttled: { says: 'too fast', means: 'Not taken. It is sent later.', tone: 'wait' },
  never_received: {
    says: 'not found',
    means: 'Proof only when heard twice, after everything of ours must have arrived.',
    tone: 'wait',
  },
  never_received_early: { says: 'not found', means: 'Not proof: it may still arrive there.', tone: 'wait' },
  unfulfilled: { says: 'neither paid nor fulfilled', means: 'A failure only when said twice, minutes apart.', tone: 'wait' },
  not_sent: { says: 'held back by us', means: 'Nothing reached the supplier.', tone: 'plain' },
  unreachable: { says: 'no connection', means: 'Nothing reached the supplier.', tone: 'wait' },
  unknown: {
    says: 'no clear answer',
    means: 'Nobody knows yet. It is asked about, and never sent again on a guess.',
    tone: 'wait',
  },
}

const amountWords = (amount: number | null) => (amount === null ? '' : formatGhs(Math.abs(amount)))

/** The effect of a proposal on its order, in words. */
export function proposalWords(
  { outcome, amount }: Pick<Order['proposals'][number], 'outcome' | 'amount'>,
  price: string,
): string {
  if (outcome === 'completed') return 'It was delivered'
  if (outcome === 'failed') return `It failed: refund ${price}`
  if (outcome === 'refunded') return `Take it back: refund ${price}`
  return (amount ?? 0) > 0 ? `Give the reseller ${amountWords(amount)}` : `Take ${amountWords(amount)} from the reseller`
}

export const deskOrderWords = {
  tabs: 'Orders and reports',
  stuckNotRead: 'Orders that need a person could not be read: there may be some',
  stuck: 'Stuck orders',
  stuckOf: (count: string, today: string) => `${count} stuck · ${today} placed today · oldest first`,
  stuckCount: (count: string) => `${count} · oldest first`,
  fitting: 'Orders that fit',
  ghs: 'GHS',
  why: 'Why',
  moreStuck: 'Show more stuck orders',
  emptyNext: 'What resellers buy is listed here the moment it is paid.',
  search: 'Reference or id',
  network: 'Network or biller',
  onlyWords: { stuck: 'Stuck', held: 'Held', contradicted: 'Contradicted' },
  any: 'All',
  accountHint: 'Account’s e-mail or id',
  package: 'Package, as reports name it',
  role: 'At prices of',
  float: (supplier: string) => `${supplier} float`,
  onLast: (percent: string, day: string) => `${percent} on last ${day}`,
  noComparison: 'Nothing sold by this time last week',
  medianP95: (p95: string) => `median, p95 ${p95}`,
  noneDelivered: 'Nothing was delivered yet',
  hoursLeft: (hours: number) => `${formatLasting(hours)} left`,
  noPace: 'Nothing was bought there lately',
  cost: 'cost',
  estimated: 'by our price list',
  panel: 'The chosen order',
  contradicted: 'A supplier said something else after this order had ended. Look at the history, then adjust.',
  paid: 'Paid',
  balance: (before: string, after: string) => `balance ${before} → ${after}`,
  sent: (supplier: string, reference: string) => `Sent to ${supplier} as ${reference}`,
  said: (supplier: string, says: string) => `${supplier}: ${says}`,
  asked: (count: number, says: string) => `Asked ${count === 1 ? 'once' : `${count} times`}: “${says}”`,
  calledBack: (supplier: string, says: string) => `${supplier} called back: ${says}`,
  personSaid: (says: string) => `People settled it: ${says}`,
  moved: { completed: 'Completed', failed: 'Failed', cancelled: 'Cancelled', pending: 'Goes on', queued: 'Waits' } as Readonly<
    Record<string, string>
  >,
  moneyBack: 'Refunded',
  contradictedStep: 'The supplier said otherwise afterwards',
  twoPeople: 'Two people settle it. You propose, somebody else confirms.',
  twoPeopleMoney: 'Two people agree on it. You propose, somebody else confirms.',
  ask: 'Ask again',
  askHeld: 'Try now',
  askAll: (count: number) => (count === 1 ? 'Ask again about 1 order' : `Ask again about ${count} orders`),
  asked1: 'The worker takes the next step now.',
  askedMany: (asked: number, not: number) =>
    `The worker takes up ${asked} now.${not === 0 ? '' : ` ${not} have ended or wait for people.`}`,
  delivered: 'It was delivered',
  failed: (price: string) => `It failed: refund ${price}`,
  refund: (price: string) => `Refund ${price}`,
  takeBack: 'Take it back',
  adjust: 'Adjust',
  evidence: 'What shows it',
  evidenceHelp: 'The number of the supplier’s ticket, a statement, a call. It stays with the order.',
  moneyGoes: (price: string, account: string) => `${price} goes back to ${account}.`,
  onlyCertain: 'Only settle as failed what the supplier certainly did not deliver. In doubt, wait.',
  stillVouchers: 'The vouchers stay with the order and are never sold again.',
  noRecipient: 'No number',
  amountHelp: (price: string) => `At most the price of the order, ${price}, all adjustments together.`,
  way: 'Which way',
  giveTo: (account: string) => `Give to ${account}`,
  takeFrom: (account: string) => `Take from ${account}`,
  proposed: (who: string) => `${who} proposed`,
  own: 'You proposed it. Somebody else of the staff confirms it.',
  confirmHelp: 'What you looked at. It stays with the order.',
  decidedWords: { pending: 'waits', done: 'confirmed', refused: 'refused', expired: 'expired' },
  by: (who: string) => `by ${who}`,
  decisions: 'What people decided',
  facts: 'Money and request',
  commission: 'Commission, theirs / reseller’s',
  sources: { api: 'the API', web: 'the dashboard', dashboard: 'the dashboard' } as Readonly<Record<string, string>>,
  id: 'Order id',
  history: 'Its history is',
  request: 'What the program sent',
  calls: 'Calls of the program about it',
  noCalls: 'No call is kept.',
  told: 'Who was told',
  toldWords: {
    order_refunded: 'Reseller: the refund',
    report_answered: 'Reseller: the answer to the report',
    courtesy: 'Buyer: courtesy message',
  } as Readonly<Record<string, string>>,
  details: 'What the order holds',
  next: 'Next step',
  report: 'Reported as not delivered',
} as const

/** The words of reports of orders that did not arrive. */
export const reportWords = {
  title: 'Not delivered',
  waiting: 'Waiting',
  answered: 'Answered',
  tabs: 'Which reports',
  reported: 'Reported',
  state: 'Order',
  said: 'The reseller says',
  nothingSaid: 'Nothing more was said',
  empty: 'No report waits',
  emptyNext: 'When a reseller says that an order was not delivered, it stands here until somebody answers.',
  emptyAnswered: 'No report was answered yet',
  more: 'Show more reports',
  answer: 'Answer',
  answerQuestion: 'Answer the report?',
  answerLabel: 'The answer, for the reseller to read',
  answerHelp: 'What you found out. The order and its money stay as they are.',
  found: 'What became of it',
  foundWords: { delivered: 'It was delivered', not_delivered: 'It was not delivered', unclear: 'Nobody can say' },
  answeredBy: (who: string) => `Answered by ${who}`,
  notDeliveredNext: 'Not delivered, though completed: make it good with Adjust, by two people.',
} as const

/** The roles at whose prices orders are bought, for the filter of the list of orders. */
export const roleFilters = { customer: 'Customers', agent: 'Agents', dealer: 'Dealers', unknown: 'Not known' } as const
