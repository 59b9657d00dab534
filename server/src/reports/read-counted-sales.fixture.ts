import type { Db } from '../platform/database/database.ts'
import type { Period } from './period.ts'
import { type Grouping, readSales } from './read-sales.ts'
import type { SalesFigures } from './sales-figures.ts'

function mustBeCounted(figures: SalesFigures | null): SalesFigures {
  if (figures === null || figures.isPart) throw new Error('some of these days are not counted yet')
  return figures
}

/** Reads a report of days that are all counted, as are those of the period before. @throws Error when some are not */
export async function readCountedSales(db: Db, period: Period, by: Grouping) {
  const report = await readSales(db, period, by)
  return {
    ...report,
    total: mustBeCounted(report.total),
    totalBefore: mustBeCounted(report.totalBefore),
    rows: report.rows.map((row) => ({ ...row, figures: mustBeCounted(row.figures), before: mustBeCounted(row.before) })),
  }
}
