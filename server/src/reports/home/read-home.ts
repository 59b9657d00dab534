import { readAccountNotices } from '../../accounts/notices/set-account-notices.ts'
import { readPurses } from '../../money/members/read-purse-for-people.ts'
import { readPace } from '../../money/read-pace.ts'
import { type AccountOrderDeps, listAccountOrders, orderLineOf } from '../../orders/members/list-account-orders.ts'
import type { Db } from '../../platform/database/database.ts'
import { addUpDays, readAccountSales } from '../read-account-sales.ts'
import { listNeeds } from './list-needs.ts'
import { readToday } from './read-today.ts'

const daysShown = 7

/**
 * Reads an account's sales less refunds on each of the last seven days, today included, and the sum of the seven days before.
 * That sum is null until all its days are counted, so that a week is never compared with an incomplete one.
 */
async function readWeek(db: Db, accountId: string) {
  const sold = await readAccountSales(db, [accountId], 2 * daysShown)
  const days = sold.get(accountId)?.days ?? []
  const week = addUpDays(days.slice(daysShown))
  const before = addUpDays(days.slice(0, daysShown))
  return {
    days: week.days.map(({ day, sales }) => ({ day, salesPesewas: sales })),
    salesPesewas: week.sales,
    salesBeforePesewas: before.countedFrom === null ? before.sales : null,
    countedFrom: week.countedFrom,
  }
}

const newestOrders = 6
const dayMilliseconds = 24 * 3_600_000
/** A balance that lasts shorter than this is shown as low, whatever limit the account has set. */
const lowDays = 3
/** A balance that lasts longer counts as lasting a year, and gets no date: the date could be too late for a `Date`. */
const daysMax = 365

async function readPaceOf({ db }: AccountOrderDeps, accountId: string, mainPesewas: number, now: Date) {
  const [paces, { lowBalancePesewas }] = await Promise.all([readPace(db, [accountId]), readAccountNotices(db, accountId)])
  const perDay = paces.get(accountId) ?? 0
  const daysLeft = perDay > 0 ? Math.min(daysMax, mainPesewas / perDay) : null
  return {
    perDayPesewas: perDay > 0 ? Math.round(perDay) : null,
    daysLeft,
    emptyAt: daysLeft === null || daysLeft >= daysMax ? null : new Date(now.getTime() + daysLeft * dayMilliseconds),
    lowBalancePesewas,
    isLow: (daysLeft !== null && daysLeft < lowDays) || (lowBalancePesewas !== null && mainPesewas < lowBalancePesewas),
  }
}

/** Reads everything on an account's first screen. Older orders do not make it slower. */
export async function readHome(deps: AccountOrderDeps, accountId: string, now = new Date()) {
  const purses = await readPurses(deps.db, accountId)
  const [pace, today, week, needs, newest] = await Promise.all([
    readPaceOf(deps, accountId, purses.mainPesewas, now),
    readToday(deps.db, deps.products, accountId, now),
    readWeek(deps.db, accountId),
    listNeeds(deps, accountId, now),
    listAccountOrders(deps, accountId, { filters: {}, limit: newestOrders }),
  ])
  return { purses, pace, today, week, needs, newest: newest.orders.map(orderLineOf) }
}
