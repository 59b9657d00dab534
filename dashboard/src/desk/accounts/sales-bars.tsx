import { countedWords } from '../../both/counted-words.ts'
import { showDay } from '../../both/moments/format-moment.ts'
import { formatCounted } from '../../both/money/format-ghs.ts'
import { Drawing } from '../frame/drawing.tsx'
import { accountWords as words } from '../words/accounts.ts'
import type { Account } from './account-calls.ts'
import css from './accounts.module.css'

const height = 56
const step = 10

/** The sales of each day, as bars. The title of each bar has its figures, and the label has those of all days with sales. */
export function SalesBars({ days }: { readonly days: Account['days'] }) {
  const most = Math.max(1, ...days.map(({ sales }) => sales ?? 0))
  const totalOf = ({ day, sales }: Account['days'][number]) =>
    words.dayTotal(showDay(day), formatCounted(sales, countedWords.notCountedWithin))
  const figures = days.filter(({ sales }) => sales !== null && sales > 0).map(totalOf)
  return (
    <Drawing className={css.bars} width={days.length * step} height={height} label={[words.perDay, ...figures].join('; ')}>
      {days.map((each, place) => {
        const sales = each.sales ?? 0
        const tall = sales > 0 ? Math.max(3, (sales / most) * height) : 2
        return (
          <rect
            key={each.day}
            className={sales > 0 ? undefined : css.zero}
            x={place * step + 1}
            y={height - tall}
            width={step - 2}
            height={tall}
          >
            <title>{totalOf(each)}</title>
          </rect>
        )
      })}
    </Drawing>
  )
}
