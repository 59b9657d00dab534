import type { components } from '../../both/api/dashboard-api.d.ts'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import type { Figure } from '../frame/figures.tsx'
import { formatChange, formatPart } from '../words/format-figures.ts'
import { reportWords } from '../words/reports.ts'

type SalesReport = components['schemas']['SalesReport']

type Earned = Pick<SalesReport['total'], 'margin' | 'cost_unknown_orders'>

/** The margin; at most so high where costs were not entered. */
const showMargin = ({ margin, cost_unknown_orders: unknown }: Earned): string =>
  unknown > 0 ? reportWords.atMost(formatGhs(margin)) : formatGhs(margin)

/** How far an amount has moved from the one before: `+6.1 %`; nothing where there was none before. */
function changeOf(now: number, before: number, shown = formatGhs(before)): Pick<Figure, 'detail' | 'tone'> {
  if (before <= 0) return { detail: `${reportWords.before}: ${shown}` }
  const part = now / before - 1
  return {
    detail: `${formatChange(part)} · ${reportWords.before.toLowerCase()} ${shown}`,
    tone: part > 0 ? 'good' : 'plain',
  }
}

/** The cards above a report of sales. */
export function figuresOfSales({ total, before }: SalesReport): readonly Figure[] {
  const { total: earlier } = before
  return [
    { label: reportWords.sales, value: formatGhs(total.sales), ...changeOf(total.sales, earlier.sales) },
    {
      label: reportWords.margin,
      value: showMargin(total),
      ...changeOf(total.margin, earlier.margin, showMargin(earlier)),
    },
    {
      label: reportWords.orders,
      value: formatCount(total.orders),
      detail: `${formatPart(total.success_rate)} ${reportWords.success.toLowerCase()}`,
    },
    {
      label: reportWords.refunds,
      value: formatGhs(total.refunds),
      detail: `${reportWords.before}: ${formatGhs(earlier.refunds)}`,
      tone: total.refunds > earlier.refunds ? 'warn' : 'plain',
    },
  ]
}
