import type { Schema } from '../../both/api/call-api.ts'
import type { Tone } from '../../both/list/state.tsx'
import { inLanguage } from '../../languages/in-language.ts'

type Line = Schema<'OrderLine'>
type StepName = Schema<'OrderStep'>['step']

export const stateWords: Readonly<Record<Line['status'], { readonly word: string; readonly tone: Tone }>> = inLanguage(
  'stateWords',
  {
    queued: { word: 'Queued', tone: 'wait' },
    pending: { word: 'Ordered', tone: 'wait' },
    processing: { word: 'Sending', tone: 'wait' },
    completed: { word: 'Delivered', tone: 'done' },
    failed: { word: 'Failed', tone: 'fail' },
    refunded: { word: 'Refunded', tone: 'fail' },
    cancelled: { word: 'Cancelled', tone: 'plain' },
  },
)

/** The titles of products, by name. */
export const productWords: Readonly<Record<string, string>> = inLanguage('productWords', {
  data: 'Data',
  airtime: 'Airtime',
  utilities: 'Bills',
  results_checker: 'Vouchers',
  afa: 'AFA',
  sms: 'SMS',
})

/** The steps of an order as its owner reads them. */
export const stepWords: Readonly<Record<StepName, { readonly words: (count: number | null) => string; readonly tone: Tone }>> =
  inLanguage('stepWords', {
    paid: { words: () => 'Paid', tone: 'done' },
    waits_for_registration: { words: () => 'Waits: this number is not registered with MTN yet', tone: 'wait' },
    registered: { words: () => 'The number is registered', tone: 'done' },
    sent: { words: () => 'Sent for delivery', tone: 'done' },
    sent_again: { words: () => 'Sent another way', tone: 'done' },
    taken: { words: () => 'Accepted, delivery is under way', tone: 'done' },
    no_answer: { words: () => 'No clear answer yet. We ask until we know; it is not sent twice', tone: 'wait' },
    asked: {
      words: (count) => (count === 1 ? 'We checked how far it is' : `We checked how far it is, ${count ?? 0} times`),
      tone: 'plain',
    },
    turned_away: { words: () => 'Could not be sent this way', tone: 'wait' },
    delivered: { words: () => 'Delivered', tone: 'done' },
    failed: { words: () => 'Not delivered', tone: 'fail' },
    cancelled: { words: () => 'Cancelled', tone: 'plain' },
    refunded: { words: () => 'The money is back in your wallet', tone: 'done' },
    reported: { words: () => 'You said that it was not delivered', tone: 'wait' },
    answered: { words: () => 'We answered', tone: 'done' },
  })

export const waitWords: Readonly<Record<NonNullable<Line['waits_for']>, string>> = inLanguage('waitWords', {
  registration: 'It is sent by itself once the number is registered with MTN. If that never happens, your money comes back.',
  answer: 'It was sent, but we do not know yet how it ended. We ask until we know.',
  supplier: 'Deliveries of this kind are delayed at the moment. It is sent by itself as soon as they work again.',
  person: 'Somebody is working on it.',
})

const sources: Readonly<Record<string, string>> = { api: 'your program (API)', dashboard: 'this app' }

export const orderWords = inLanguage('orderWords', {
  slow: 'How long',
  slowOnly: 'Longer than an hour',
  search: 'Reference or number',
  emptyNext: 'What you buy here, and what your program buys over the API, is listed here with its state.',
  sources,
  timeline: 'What happened',
  copyReceipt: 'Copy receipt',
  vouchers: 'Vouchers',
  serial: 'Serial',
  copyPin: 'Copy PIN',
  copyVouchers: 'Copy all',
  share: 'Share',
  showVouchers: 'Show the vouchers',
  notDelivered: 'Not delivered?',
  notDeliveredWhy: 'Tell us. We look into it, and our answer comes to this page.',
  note: 'What do you know about it? (optional)',
  report: 'It was not delivered',
  reportWaits: 'Your report waits for our answer',
  answer: 'Answer',
  toCustomer: 'to',
  campaign: 'SMS campaign',
  usually: (minutes: number) => {
    if (minutes < 1) return 'Usually done in less than a minute.'
    if (minutes < 90) return `Usually done in about ${Math.round(minutes)} min.`
    return `Usually done in about ${Math.round(minutes / 60)} h.`
  },
})

/** Not a part of `orderWords`, because every purchase loads those. */
export const voucherWords = inLanguage('voucherWords', {
  whatsApp: 'WhatsApp',
  printA4: 'Print on A4',
  printRoll: 'Print on a 58 mm roll',
  keepSlip: 'Keep this slip safe. The PIN is needed for the results.',
})
