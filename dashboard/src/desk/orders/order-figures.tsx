import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { sharedWords } from '../../both/words.ts'
import { type Figure, Figures } from '../frame/figures.tsx'
import { formatChange, formatMargin, formatMinutes, formatPart } from '../words/format-figures.ts'
import { deskOrderWords, supplierName } from '../words/orders.ts'

type Today = Schema<'DeskToday'>

/** The figures of today. The screen Today uses the same answer. */
export function useAskToday() {
  return useRead('today', '/desk/api/today')
}

const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Accra', weekday: 'long' })
function soldFigure({ sales, sales_before: before, day_before: dayBefore }: Today): Figure {
  const part = before > 0 ? (sales - before) / before : undefined
  return {
    label: fieldWords.soldToday,
    value: formatGhs(sales),
    detail:
      part === undefined
        ? deskOrderWords.noComparison
        : deskOrderWords.onLast(formatChange(part), weekday.format(new Date(dayBefore))),
    tone: part !== undefined && part >= 0 ? 'good' : part !== undefined && part < -0.2 ? 'warn' : 'plain',
  }
}

function deliveredFigure({ figures: { orders, median_minutes: median, p95_minutes: p95 } }: Today): Figure {
  if (orders === null) return { label: fieldWords.deliveredIn, value: sharedWords.notCounted }
  if (median === null) return { label: fieldWords.deliveredIn, value: '–', detail: deskOrderWords.noneDelivered }
  const detail = deskOrderWords.medianP95(formatMinutes(p95 ?? median))
  return { label: fieldWords.deliveredIn, value: formatMinutes(median), detail }
}

/** A float is low when it does not last this long. */
const lowHours = 24

function floatFigure({ floats }: Today): Figure[] {
  const known = floats.filter((each) => each.float !== null)
  const [lowest] = known.toSorted((one, other) => (one.hours_left ?? Infinity) - (other.hours_left ?? Infinity))
  if (!lowest) return []
  const { supplier, float, hours_left: hours } = lowest
  return [
    {
      label: deskOrderWords.float(supplierName(supplier)),
      value: formatGhs(float ?? 0),
      detail: hours === null ? deskOrderWords.noPace : deskOrderWords.hoursLeft(hours),
      tone: hours !== null && hours < lowHours ? 'warn' : 'plain',
    },
  ]
}

/**
 * The day in four cards, or three while no float is known. Nothing is shown in their place while the figures are loading, because
 * people work with the lists below.
 */
export function OrderFigures() {
  const { data: today } = useAskToday()
  if (!today) return null
  const { figures: ofToday } = today
  const { margin_percent: part } = ofToday
  const figures: Figure[] = [
    soldFigure(today),
    {
      label: fieldWords.margin,
      value: formatMargin(ofToday),
      ...(ofToday.orders !== null && { detail: formatPart(part === null ? null : part / 100) }),
    },
    deliveredFigure(today),
    ...floatFigure(today),
  ]
  return <Figures label={fieldWords.today} figures={figures} />
}
