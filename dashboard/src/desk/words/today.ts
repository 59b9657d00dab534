import { formatGhs } from '../../both/money/format-ghs.ts'

const minutesText = (minutes: number) =>
  minutes < 1
    ? `${Math.max(1, Math.round(minutes * 60))} s`
    : minutes < 90
      ? `${Math.round(minutes)} min`
      : `${(minutes / 60).toFixed(1)} h`

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

/** The words of the screen of today. */
export const todayWords = {
  title: 'Today',
  figures: 'Today in figures',
  floats: 'Floats at suppliers',
  sold: 'Sold today',
  against: (change: number, day: string) => `${change >= 0 ? '+' : '−'}${Math.abs(change * 100).toFixed(1)} % on last ${day}`,
  noneBefore: (day: string) => `nothing by now last ${day}`,
  orders: (count: number) => `${new Intl.NumberFormat('en-GH').format(count)} orders`,
  margin: 'Margin',
  marginOf: (share: number | null, before: number, day: string) =>
    `${share === null ? '' : `${share < 0 ? '−' : ''}${Math.abs(share).toFixed(1)} %, `}all of last ${day} ${formatGhs(before)}`,
  refunds: 'Given back',
  refundsBefore: (before: number, day: string) => `all of last ${day} ${formatGhs(before)}`,
  delivered: 'Delivered in',
  median: (p95: number | null) => (p95 === null ? 'median' : `median; 95 of 100 within ${minutesText(p95)}`),
  success: 'Delivered',
  successBefore: (before: number | null, day: string) => (before === null ? '' : `last ${day} ${percent(before)}`),
  noneYet: '–',
  float: (supplier: string) => `Float at ${supplier}`,
  hoursLeft: (hours: number | null) =>
    hours === null
      ? 'pace not known'
      : hours < 1
        ? 'less than an hour left'
        : hours > 365 * 24
          ? 'more than a year left'
          : hours < 48
            ? `about ${Math.round(hours)} hours left`
            : `about ${Math.round(hours / 24)} days left`,
  minutes: (minutes: number | null) => (minutes === null ? '–' : minutesText(minutes)),
  percent: (share: number | null) => (share === null ? '–' : percent(share)),
  hourly: 'Hour by hour',
  hourlyLabel: (day: string) => `Sales hour by hour, today and last ${day}`,
  todayBar: 'Today',
  beforeBar: (day: string) => `Last ${day}`,
  asTable: 'As a table',
  hour: 'Hour',
  networks: 'By network',
  network: 'Network',
  sales: 'Sales',
  ordersTitle: 'Orders',
  rate: 'Delivered',
  time: 'Delivered in',
  before: (text: string, day: string) => `${text} last ${day}`,
  noNetworks: 'No order was placed today or on this day last week.',
  none: 'no network',
  asOf: (moment: string) => `Margin, refunds and times count up to ${moment}.`,
} as const
