import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { type Figure, Figures } from '../frame/figures.tsx'
import { deskOrderWords, supplierName } from '../words/orders.ts'

type Today = components['schemas']['DeskToday']

/** Asks for the figures of today; the screen Today shows the same. */
export function useAskToday() {
  return useQuery({
    queryKey: ['desk', 'today'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/today', { signal })),
  })
}

const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Accra', weekday: 'long' })
const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 })
const change = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })

/** A length of time in the unit that fits: `41 s`, `3 min`, `2.5 h`. */
function lengthOfMinutes(minutes: number): string {
  if (minutes < 1) return `${Math.max(1, Math.round(minutes * 60))} s`
  return minutes < 90 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 6) / 10} h`
}

const lengthOfHours = (hours: number) => (hours < 48 ? `${Math.max(1, Math.round(hours))} h` : `${Math.round(hours / 24)} days`)

function soldFigure({ sales, sales_before: before, day_before: dayBefore }: Today): Figure {
  const part = before > 0 ? (sales - before) / before : undefined
  return {
    label: deskOrderWords.soldToday,
    value: formatGhs(sales),
    detail:
      part === undefined
        ? deskOrderWords.noComparison
        : deskOrderWords.onLast(change.format(part), weekday.format(new Date(dayBefore))),
    tone: part !== undefined && part >= 0 ? 'good' : part !== undefined && part < -0.2 ? 'warn' : 'plain',
  }
}

function deliveredFigure({ figures: { median_minutes: median, p95_minutes: p95 } }: Today): Figure {
  if (median === null) return { label: deskOrderWords.deliveredIn, value: '–', detail: deskOrderWords.noneDelivered }
  const detail = deskOrderWords.medianP95(lengthOfMinutes(p95 ?? median))
  return { label: deskOrderWords.deliveredIn, value: lengthOfMinutes(median), detail }
}

/** A float is low when it does not last until tomorrow. */
const lowHours = 24
const yearHours = 365 * 24

function leftWords(hours: number | null): string {
  if (hours === null) return deskOrderWords.noPace
  return hours > yearHours ? deskOrderWords.aYearLeft : deskOrderWords.hoursLeft(lengthOfHours(hours))
}

function floatFigure({ floats }: Today): Figure[] {
  const known = floats.filter((each) => each.float !== null)
  const [lowest] = known.toSorted((one, other) => (one.hours_left ?? Infinity) - (other.hours_left ?? Infinity))
  if (!lowest) return []
  const { supplier, float, hours_left: hours } = lowest
  return [
    {
      label: deskOrderWords.float(supplierName(supplier)),
      value: formatGhs(float ?? 0),
      detail: leftWords(hours),
      tone: hours !== null && hours < lowHours ? 'warn' : 'plain',
    },
  ]
}

/**
 * The day in four cards. Until the figures have come nothing is shown in their place, because people work with the
 * lists below.
 */
export function OrderFigures() {
  const { data: today } = useAskToday()
  if (!today) return null
  const { margin, margin_percent: part } = today.figures
  const figures: Figure[] = [
    soldFigure(today),
    { label: deskOrderWords.margin, value: formatGhs(margin), detail: part === null ? '–' : percent.format(part / 100) },
    deliveredFigure(today),
    ...floatFigure(today),
  ]
  return <Figures label={deskOrderWords.figures} figures={figures} />
}
