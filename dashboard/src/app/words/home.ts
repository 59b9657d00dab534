import { inLanguage, locale } from '../../languages/in-language.ts'

const weekday = new Intl.DateTimeFormat(locale, { timeZone: 'Africa/Accra', weekday: 'long' })
const shortDay = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'short' })
const dayAndMonth = new Intl.DateTimeFormat(locale, { timeZone: 'Africa/Accra', day: 'numeric', month: 'long' })
const hourOf = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Accra', hour: 'numeric', hour12: false })

const weekMilliseconds = 7 * 24 * 3_600_000

type PartOfDay = 'night' | 'morning' | 'afternoon' | 'evening'

function partOfDay(moment: Date): PartOfDay {
  const hour = Number(hourOf.format(moment))
  if (hour < 5) return 'night'
  if (hour < 12) return 'morning'
  return hour < 17 ? 'afternoon' : 'evening'
}

/** A moment of the next days: `this evening`, `Monday evening`, `3 March`. */
function comingMoment(moment: Date, now: Date): string {
  if (moment.getTime() - now.getTime() > weekMilliseconds) return dayAndMonth.format(moment)
  const part = partOfDay(moment)
  if (dayAndMonth.format(moment) === dayAndMonth.format(now)) return homeWords.today[part]
  return homeWords.onDay[part](weekday.format(moment))
}

export const homeWords = inLanguage('homeWords', {
  statement: 'Statement',
  week: 'Last 7 days',
  again: 'Buy again',
  profit: 'Profit',
  newest: 'Newest orders',
  others: 'Your other wallets',
  commissionWhat: 'Earned, yours to move to the main wallet',
  smsWhat: 'One credit sends one SMS',
  noOrders: 'Nothing sold yet',
  noOrdersNext: 'Your first order appears here the moment it is placed.',
  keyWaits: {
    standard: 'Standard key is pending',
    commission: 'Commission key is pending',
    sms: 'SMS key is pending',
  },
  keyNext: (when: string) => `We must approve it. Asked ${when}.`,
  waits: 'Waits',
  slow: 'Takes long',
  belowLimit: (limit: string) => `Below ${limit}, the limit that you set.`,
  lowTitle: 'Your balance is low',
  beforeNotCounted: 'The 7 days before are not counted yet.',
  drawnToday: 'Sales of today by the hour, and of the same day last week',
  drawnWeek: 'Sales of the last seven days',
  today: { night: 'tonight', morning: 'this morning', afternoon: 'this afternoon', evening: 'this evening' },
  onDay: {
    night: (day: string) => `${day} night`,
    morning: (day: string) => `${day} morning`,
    afternoon: (day: string) => `${day} afternoon`,
    evening: (day: string) => `${day} evening`,
  },
  lasts: (days: number) => {
    if (days < 1) return 'Less than a day left'
    return days === 1 ? 'About 1 day left' : `About ${days} days left`
  },
  pace: (perDay: string) => `You sell ${perDay} a day.`,
  topUpBefore: (moment: string) => `Top up before ${moment}.`,
  compare: (orders: number, before: number, day: string) => {
    const counted = `${orders} ${orders === 1 ? 'order' : 'orders'} at your cost`
    if (orders === before) return `${counted}, as many as last ${day} by now`
    return `${counted}, ${Math.abs(orders - before)} ${orders > before ? 'more' : 'fewer'} than last ${day} by now`
  },
  moreThanWeekBefore: (difference: string) => `${difference} more than the 7 days before`,
  lessThanWeekBefore: (difference: string) => `${difference} less than the 7 days before`,
  moreQueued: (count: number) => `More than ${count} orders wait for registration`,
  /** The orders that need attention. */
  needs: {
    queued: (count: number) => (count === 1 ? '1 order waits for registration' : `${count} orders wait for registration`),
    slow: (count: number) => (count === 1 ? '1 order takes longer than an hour' : `${count} orders take longer than an hour`),
    failed: (count: number) => (count === 1 ? '1 order failed today' : `${count} orders failed today`),
  },
})

/** The advice about a low balance: `You sell GHS 610.00 a day. Top up before Monday evening.` */
export function paceWords(perDay: string, emptyAt: string | null, now = new Date()): string {
  const pace = homeWords.pace(perDay)
  return emptyAt === null ? pace : `${pace} ${homeWords.topUpBefore(comingMoment(new Date(emptyAt), now))}`
}

/** Compares today with the same weekday last week: `118 orders at your cost, 4 more than last Saturday by now`. */
export function compareWords(orders: number, before: number, now = new Date()): string {
  return homeWords.compare(orders, before, weekday.format(now))
}

/** The day of a bar: `Mon`. */
export function barWords(day: string): string {
  return shortDay.format(new Date(day))
}
