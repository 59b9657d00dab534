import type { components } from '../../both/api/dashboard-api.d.ts'
import { Card } from '../../both/layout/page.tsx'
import { formatGhs, ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'
import { barWords, homeWords, weekWords } from '../words/home.ts'
import css from './home.module.css'

const height = 48

/** What was sold on each of the last seven days, as bars. Screen readers read the figures instead. */
export function WeekCard({ week }: { readonly week: components['schemas']['Home']['week'] }) {
  const most = Math.max(1, ...week.days.map(({ sales }) => sales))
  const difference = pesewasOf(week.sales) - pesewasOf(week.sales_before)
  return (
    <Card>
      <b className={css.sum}>{formatGhs(week.sales)}</b>
      <span className={css.soft}>{weekWords(formatGhs(ghsOf(Math.abs(difference))), difference >= 0)}</span>
      <ol className={css.bars} aria-label={homeWords.drawnWeek}>
        {week.days.map(({ day, sales }) => {
          const tall = Math.max(2, (Math.max(0, sales) / most) * height)
          return (
            <li key={day} className={css.bar}>
              <svg viewBox={`0 0 32 ${height}`} preserveAspectRatio="none" role="img" aria-label={formatGhs(sales)}>
                <title>{formatGhs(sales)}</title>
                <rect width="32" height={tall} y={height - tall} rx="3" />
              </svg>
              {barWords(day)}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
