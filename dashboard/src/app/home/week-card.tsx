import type { Schema } from '../../both/api/call-api.ts'
import { countedWords } from '../../both/counted-words.ts'
import { Card } from '../../both/layout/page.tsx'
import { showDay } from '../../both/moments/format-moment.ts'
import { formatCounted, formatGhs, ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'
import { barWords, homeWords } from '../words/home.ts'
import css from './home.module.css'

type Week = Schema<'Home'>['week']

const height = 48

/**
 * Compares the week with the one before. A week that is counted only in part is not compared; its first counted day is shown.
 */
function comparison({ sales, sales_before: before, counted_from: from }: Week): string {
  if (sales === null) return countedWords.nothingCounted
  if (from !== null) return countedWords.countedSince(showDay(from))
  if (before === null) return homeWords.beforeNotCounted
  const difference = pesewasOf(sales) - pesewasOf(before)
  const apart = formatGhs(ghsOf(Math.abs(difference)))
  return difference >= 0 ? homeWords.moreThanWeekBefore(apart) : homeWords.lessThanWeekBefore(apart)
}

/** The sales of each of the last seven days, as bars. Screen readers read the figures instead. */
export function WeekCard({ week }: { readonly week: Week }) {
  const most = Math.max(1, ...week.days.map(({ sales }) => sales ?? 0))
  return (
    <Card>
      <b className={css.sum}>{formatCounted(week.sales)}</b>
      <span className="soft">{comparison(week)}</span>
      <ol className={css.bars} aria-label={homeWords.drawnWeek}>
        {week.days.map(({ day, sales }) => {
          const tall = sales === null ? 0 : Math.max(2, (Math.max(0, sales) / most) * height)
          return (
            <li key={day} className={css.bar}>
              <svg viewBox={`0 0 32 ${height}`} preserveAspectRatio="none" role="img" aria-label={formatCounted(sales)}>
                <title>{formatCounted(sales)}</title>
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
