const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Accra', weekday: 'long' })
const shortDay = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short' })
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Accra', day: 'numeric', month: 'long' })
const hourOf = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Accra', hour: 'numeric', hour12: false })

const weekMilliseconds = 7 * 24 * 3_600_000

function partOfDay(moment: Date): string {
  const hour = Number(hourOf.format(moment))
  if (hour < 5) return 'night'
  if (hour < 12) return 'morning'
  return hour < 17 ? 'afternoon' : 'evening'
}

/** A moment of the next days: `this evening`, `Monday evening`, `3 March`. */
function comingMoment(moment: Date, now: Date): string {
  if (moment.getTime() - now.getTime() > weekMilliseconds) return dayAndMonth.format(moment)
  const part = partOfDay(moment)
  if (dayAndMonth.format(moment) === dayAndMonth.format(now)) return part === 'night' ? 'tonight' : `this ${part}`
  return `${weekday.format(moment)} ${part}`
}

export const homeWords = {
  statement: 'Statement',
  week: 'Last 7 days',
  again: 'Buy again',
  profit: 'Profit',
  newest: 'Newest orders',
  others: 'Your other wallets',
  commissionWhat: 'Earned, yours to move to the main wallet',
  smsWhat: 'One credit is one text of one segment',
  noOrders: 'Nothing sold yet',
  noOrdersNext: 'Your first order appears here the moment it is placed.',
  keyWaits: (type: string) => `${type[0]?.toUpperCase() ?? ''}${type.slice(1)} key is pending`,
  keyNext: (when: string) => `The operator must approve it. Asked ${when}.`,
  waits: 'Waits',
  slow: 'Takes long',
  belowLimit: (limit: string) => `Below ${limit}, the limit that you set.`,
  lowTitle: 'Your balance is low',
  beforeNotCounted: 'The 7 days before are not counted yet.',
  drawnToday: 'Sales of today by the hour, and of the same day last week',
  drawnWeek: 'Sales of the last seven days',
} as const

/** How long the balance lasts: `About 2 days left`. */
export function lastsWords(days: number): string {
  if (days < 1) return 'Less than a day left'
  const whole = Math.floor(days)
  return whole === 1 ? 'About 1 day left' : `About ${whole} days left`
}

/** The advice about a low balance: `You sell GHS 610.00 a day. Top up before Monday evening.` */
export function paceWords(perDay: string, emptyAt: string | null, now = new Date()): string {
  const top = emptyAt === null ? '' : ` Top up before ${comingMoment(new Date(emptyAt), now)}.`
  return `You sell ${perDay} a day.${top}`
}

/** Today beside the same weekday last week: `118 orders, 4 more than last Saturday by now`. */
export function compareWords(orders: number, before: number, now = new Date()): string {
  const counted = `${orders} ${orders === 1 ? 'order' : 'orders'}`
  const day = `last ${weekday.format(now)} by now`
  if (orders === before) return `${counted}, as many as ${day}`
  return `${counted}, ${Math.abs(orders - before)} ${orders > before ? 'more' : 'fewer'} than ${day}`
}

/** Compares the last seven days with the seven days before: `GHS 120.00 more than the 7 days before`. */
export function weekWords(difference: string, isMore: boolean): string {
  return `${difference} ${isMore ? 'more' : 'less'} than the 7 days before`
}

/** A row for the orders that need attention. */
export function needsWords(what: 'queued' | 'slow' | 'failed', count: number): string {
  const orders = count === 1 ? '1 order' : `${count} orders`
  const does = count === 1
  if (what === 'queued') return `${orders} ${does ? 'waits' : 'wait'} for registration`
  if (what === 'slow') return `${orders} ${does ? 'takes' : 'take'} longer than an hour`
  return `${orders} failed today`
}

/** The day of a bar: `Mon`. */
export function barWords(day: string): string {
  return shortDay.format(new Date(day))
}
