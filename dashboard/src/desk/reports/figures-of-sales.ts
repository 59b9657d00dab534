import type { components } from '../../both/api/dashboard-api.d.ts'
import { countedWords } from '../../both/counted-words.ts'
import { fieldWords } from '../../both/field-words.ts'
import { showDay } from '../../both/moments/format-moment.ts'
import { formatCount, formatCounted } from '../../both/money/format-ghs.ts'
import { sharedWords } from '../../both/words.ts'
import type { Figure } from '../frame/figures.tsx'
import { formatChange, formatMargin, formatPart } from '../words/format-figures.ts'
import { reportWords } from '../words/reports.ts'

type SalesReport = components['schemas']['SalesReport']

const showBefore = (amount: number | null): string => formatCounted(amount, countedWords.notCountedWithin)

/**
 * Describes an amount of the period before, and the change since then, such as `+6.1 %`. There is no change where one of the
 * amounts is not counted or the earlier one is not above 0.
 */
function changeOf(now: number | null, before: number | null, shown = showBefore(before)): Pick<Figure, 'detail' | 'tone'> {
  if (now === null || before === null || before <= 0) return { detail: `${reportWords.before}: ${shown}` }
  const part = now / before - 1
  return {
    detail: `${formatChange(part)} · ${reportWords.before.toLowerCase()} ${shown}`,
    tone: part > 0 ? 'good' : 'plain',
  }
}

/** The cards above a report of sales. */
export function figuresOfSales({ total, before, counted_from: countedFrom }: SalesReport): readonly Figure[] {
  const { total: earlier } = before
  const nameOf = (label: string) =>
    total.counted === 'part' && countedFrom !== null ? `${label} ${countedWords.since(showDay(countedFrom))}` : label
  return [
    { label: nameOf(fieldWords.sales), value: formatCounted(total.sales), ...changeOf(total.sales, earlier.sales) },
    {
      label: nameOf(fieldWords.margin),
      value: formatMargin(total),
      ...changeOf(total.margin, earlier.margin, formatMargin(earlier, countedWords.notCountedWithin)),
    },
    {
      label: nameOf(fieldWords.orders),
      value: total.orders === null ? sharedWords.notCounted : formatCount(total.orders),
      ...(total.orders !== null && { detail: `${formatPart(total.success_rate)} ${fieldWords.delivered.toLowerCase()}` }),
    },
    {
      label: nameOf(fieldWords.refunds),
      value: formatCounted(total.refunds),
      detail: `${reportWords.before}: ${showBefore(earlier.refunds)}`,
      tone: total.refunds !== null && earlier.refunds !== null && total.refunds > earlier.refunds ? 'warn' : 'plain',
    },
  ]
}
