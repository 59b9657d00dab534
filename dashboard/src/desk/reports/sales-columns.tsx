import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { countedWords } from '../../both/counted-words.ts'
import { fieldWords } from '../../both/field-words.ts'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { showDay } from '../../both/moments/format-moment.ts'
import { formatCount, formatCounted } from '../../both/money/format-ghs.ts'
import { sharedWords } from '../../both/words.ts'
import { formatChange, formatPart, notKnown } from '../words/format-figures.ts'
import { isDay, nameOfKey, reportWords } from '../words/reports.ts'
import { ordersOfLine } from './orders-of-line.ts'
import css from './reports.module.css'

type SalesReport = components['schemas']['SalesReport']
export type SalesRow = SalesReport['rows'][number]

/** The key of the line of totals. No other line of a report has it. */
export const totalKey = ''

const changeOf = (now: number | null, before: number | null): number | null =>
  now === null || before === null || before <= 0 ? null : now / before - 1

type Amount = 'sales' | 'refunds' | 'cost' | 'commission' | 'margin'
type Amounts = Pick<SalesRow, Amount | 'cost_unknown_orders'>

/**
 * An amount; `uncounted` for days that are not counted yet. Where the cost of some orders is not known, the cost is marked "at
 * least" and the margin "at most".
 */
function showAmount(amounts: Amounts, name: Amount, uncounted: string): string {
  const text = formatCounted(amounts[name], uncounted)
  if (amounts[name] === null || amounts.cost_unknown_orders === 0) return text
  return name === 'cost' ? reportWords.atLeast(text) : name === 'margin' ? reportWords.atMost(text) : text
}

/**
 * A column of an amount. Its change and the amount of the period before are below it in small letters. If that period is not
 * counted, only the column of sales says so.
 */
const moved = (title: string, name: Amount): Column<SalesRow> => ({
  title,
  isFigure: true,
  sortBy: (row) => row[name],
  show: (row) => {
    const part = changeOf(row[name], row.before[name])
    return (
      <span>
        {showAmount(row, name, notKnown)}
        {row.counted !== 'none' && (row.before.counted !== 'none' || name === 'sales') && (
          <span className={css.before}>
            {part !== null && `${formatChange(part)} · `}
            {reportWords.was(showAmount(row.before, name, countedWords.notCountedWithin))}
          </span>
        )}
      </span>
    )
  },
})

const percent = (value: number | null) => formatPart(value === null ? null : value / 100)

const marginPercent: Column<SalesRow> = {
  title: reportWords.marginPercent,
  isFigure: true,
  sortBy: ({ margin_percent: part }) => part,
  show: ({ margin_percent: part, cost_unknown_orders: unknown, before }) => (
    <span>
      {unknown !== null && unknown > 0 && part !== null ? reportWords.atMost(percent(part)) : percent(part)}
      {before.counted !== 'none' && <span className={css.before}>{reportWords.was(percent(before.margin_percent))}</span>}
    </span>
  ),
}

/** The number of orders of a line, with a link to them where the list of orders has filters for them. */
function ordersShown(report: SalesReport, row: SalesRow): ReactNode {
  if (row.orders === null) return notKnown
  const path = ordersOfLine(report, row)
  const count = formatCount(row.orders)
  if (path === undefined || row.orders === 0) return count
  return (
    <Link href={path} aria-label={reportWords.toOrders(count, row.account_name ?? nameOfKey(row.key))}>
      {count}
    </Link>
  )
}

/** Says from which day on a line is counted, or that no day of it is counted. */
const howFarCounted = ({ counted }: SalesRow, { counted_from: from }: SalesReport): string =>
  counted === 'none' || from === null ? sharedWords.notCounted : countedWords.since(showDay(from))

/** The columns of a report of sales. People can sort by each one. */
export function salesColumns(report: SalesReport): readonly Column<SalesRow>[] {
  const most = Math.max(...report.rows.map(({ sales }) => sales ?? 0), 0)
  const nameOf = ({ key, account_name: name }: SalesRow) => (key === totalKey ? reportWords.total : (name ?? nameOfKey(key)))
  return [
    {
      title: reportWords.groupings[report.by],
      isMain: true,
      sortBy: (row) => (isDay(row.key) ? row.key : nameOf(row)),
      show: (row) => (
        <>
          {nameOf(row)}
          {row.counted !== 'all' && <span className={css.before}>{howFarCounted(row, report)}</span>}
          {/* The bar only compares the rows; the figure is in its own column. */}
          {row.key !== totalKey && (
            <span
              className={css.bar}
              style={{ width: `${most <= 0 ? 0 : Math.max(0, ((row.sales ?? 0) / most) * 100)}%` }}
              aria-hidden="true"
            />
          )}
        </>
      ),
    },
    { title: fieldWords.orders, isFigure: true, sortBy: ({ orders }) => orders, show: (row) => ordersShown(report, row) },
    {
      title: fieldWords.delivered,
      isFigure: true,
      sortBy: ({ success_rate: rate }) => rate,
      show: ({ success_rate: rate, median_minutes: minutes }) => (
        <span>
          {formatPart(rate)}
          {minutes !== null && <span className={css.before}>{reportWords.within(minutes.toFixed(1))}</span>}
        </span>
      ),
    },
    moved(fieldWords.sales, 'sales'),
    moved(fieldWords.refunds, 'refunds'),
    moved(fieldWords.cost, 'cost'),
    moved(fieldWords.commission, 'commission'),
    moved(fieldWords.margin, 'margin'),
    marginPercent,
  ]
}
