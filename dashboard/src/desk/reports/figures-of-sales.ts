import type { components } from '../../both/api/dashboard-api.d.ts'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import type { Figure } from '../frame/figures.tsx'
import { formatChange, formatPart } from '../words/format-figures.ts'
import { reportWords } from '../words/reports.ts'

type SalesReport = components['schemas']['SalesReport']

/** How far an amount has moved from the one before: `+6.1 %`; nothing where there was none before. */
function changeOf(now: number, before: number): Pick<Figure, 'detail' | 'tone'> {
  if (before <= 0) return { detail: `${reportWords.before}: ${formatGhs(before)}` }
  const part = now / before - 1
  return {
    detail: `${formatChange(part)} · ${reportWords.before.toLowerCase()} ${formatGhs(before)}`,
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
      value: formatGhs(total.margin),
      ...changeOf(total.margin, earlier.margin),
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
