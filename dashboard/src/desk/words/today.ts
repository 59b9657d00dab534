import { countedWords } from '../../both/counted-words.ts'
import { formatCounted } from '../../both/money/format-ghs.ts'
import { formatChange, formatLasting, formatMinutes, formatPart } from './format-figures.ts'

const amountBefore = (amount: number | null) => formatCounted(amount, countedWords.notCountedWithin)

export const todayWords = {
  figures: 'Today in figures',
  floats: 'Floats at suppliers',
  against: (change: number, day: string) => `${formatChange(change)} on last ${day}`,
  noneBefore: (day: string) => `nothing by now last ${day}`,
  orders: (count: number) => `${new Intl.NumberFormat('en-GH').format(count)} orders`,
  marginOf: (share: number | null, before: number | null, day: string) =>
    `${share === null ? '' : `${formatPart(share / 100)}, `}all of last ${day} ${amountBefore(before)}`,
  refunds: 'Given back',
  refundsBefore: (before: number | null, day: string) => `all of last ${day} ${amountBefore(before)}`,
  median: (p95: number | null) => (p95 === null ? 'median' : `median; 95 of 100 within ${formatMinutes(p95)}`),
  successBefore: (before: number | null, day: string) => (before === null ? '' : `last ${day} ${formatPart(before)}`),
  float: (supplier: string) => `Float at ${supplier}`,
  hoursLeft: (hours: number | null) => (hours === null ? 'pace not known' : `${formatLasting(hours)} left`),
  hourly: 'Hour by hour',
  hourlyLabel: (day: string) => `Sales hour by hour, today and last ${day}`,
  beforeBar: (day: string) => `Last ${day}`,
  networks: 'By network',
  before: (text: string, day: string) => `${text} last ${day}`,
  beforeNotCounted: (day: string) => `last ${day} ${countedWords.notCountedWithin}`,
  noNetworks: 'No order was placed today or on this day last week.',
  none: 'no network',
  soldMeans: 'Sold is what was paid for orders and SMS credits, before refunds, as in the report of sales.',
  asOf: (moment: string) => `Margin, refunds and times count up to ${moment}.`,
} as const
