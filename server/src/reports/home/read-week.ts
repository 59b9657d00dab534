import { ghsIfKnown } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { addUpDays, readAccountSales } from '../read-account-sales.ts'

const daysShown = 7

/**
 * Reads what an account sold on each of the last seven days, today included, less what went back on that day, and what
 * the seven days before came to. These are null until all of them are counted, so that nothing is compared with a part.
 */
export async function readWeek(db: Db, accountId: string) {
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
