import { readAccountNotices } from '../../accounts/notices/set-account-notices.ts'
import { readPurses } from '../../money/members/read-purse-for-people.ts'
import { ghs, ghsIfKnown, pesewas } from '../../money/pesewas.ts'
import { readPace } from '../../money/read-pace.ts'
import { type AccountOrderDeps, listAccountOrders, viewOrderLine } from '../../orders/members/list-account-orders.ts'
import type { Db } from '../../platform/database/database.ts'
import { addUpDays, readAccountSales } from '../read-account-sales.ts'
import { listNeeds } from './list-needs.ts'
import { readToday } from './read-today.ts'

const daysShown = 7

/**
 * Reads what an account sold on each of the last seven days, today included, less what went back on that day, and what
 * the seven days before came to. These are null until all of them are counted, so that nothing is compared with a part.
 */
async function readWeek(db: Db, accountId: string) {
  const sales = await readAccountSales(db, [accountId], 2 * daysShown)
  const days = sales.get(accountId)?.days ?? []
  const week = addUpDays(days.slice(daysShown))
  const before = addUpDays(days.slice(0, daysShown))
  return {
    days: week.days.map(({ day, sales: sold }) => ({ day, sales: ghsIfKnown(sold) })),
    sales: ghsIfKnown(week.sales),
    sales_before: before.countedFrom === null ? ghsIfKnown(before.sales) : null,
    counted_from: week.countedFrom,
  }
}

const newestOrders = 6
const dayMilliseconds = 24 * 3_600_000
/** A balance that lasts shorter than this is shown as low, whatever limit the account has set. */
const lowDays = 3
/** A balance that lasts longer counts as lasting a year, and gets no date: the date could be too late for a `Date`. */
const daysMax = 365

async function readPaceOf({ db }: AccountOrderDeps, accountId: string, main: number, now: Date) {
  const [paces, notices] = await Promise.all([readPace(db, [accountId]), readAccountNotices(db, accountId)])
  const lowBalance = notices.lowBalancePesewas === null ? null : ghs(notices.lowBalancePesewas)
  const perDay = paces.get(accountId) ?? 0
  const daysLeft = perDay > 0 ? Math.min(daysMax, (main * 100) / perDay) : null
  return {
    per_day: perDay > 0 ? ghs(pesewas(Math.round(perDay))) : null,
    days_left: daysLeft,
    empty_at:
      daysLeft === null || daysLeft >= daysMax ? null : new Date(now.getTime() + daysLeft * dayMilliseconds).toISOString(),
    low_balance: lowBalance,
    is_low: (daysLeft !== null && daysLeft < lowDays) || (lowBalance !== null && main < lowBalance),
  }
}

/** Reads everything on an account's first screen. Older orders do not make it slower. */
export async function readHome(deps: AccountOrderDeps, accountId: string, now = new Date()) {
  const purses = await readPurses(deps.db, accountId)
  const [pace, today, week, needs, newest] = await Promise.all([
    readPaceOf(deps, accountId, purses.main, now),
    readToday(deps.db, deps.products, accountId, now),
    readWeek(deps.db, accountId),
    listNeeds(deps, accountId, now),
    listAccountOrders(deps, accountId, { filters: {}, limit: newestOrders }),
  ])
  return { purses, pace, today, week, needs, newest: newest.orders.map(viewOrderLine) }
}
