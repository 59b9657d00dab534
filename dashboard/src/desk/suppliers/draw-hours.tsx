import { Drawing } from '../frame/drawing.tsx'
import css from './suppliers.module.css'

const height = 56
const step = 4

type Point = number | null

/** The line through the points, with a gap where a value is unknown. */
function pathOf(points: readonly Point[], most: number): string {
  let path = ''
  let isDrawing = false
  for (const [index, value] of points.entries()) {
    if (value === null) {
      isDrawing = false
      continue
    }
    const x = index * step + step / 2
    const y = height - 2 - (value / most) * (height - 4)
    // A single point is drawn as a short line, so that people can see it.
    const start = isDrawing ? 'L' : `M${(x - 1).toFixed(1)},${y.toFixed(1)}L`
    path += `${start}${x.toFixed(1)},${y.toFixed(1)}`
    isDrawing = true
  }
  return path
}

type BarsProps = {
  readonly label: string
  readonly hours: readonly { readonly good: number; readonly bad: number }[]
}

/** A bar for each hour: delivered orders, and on top of them failed ones. */
export function HourBars({ label, hours }: BarsProps) {
  const most = Math.max(1, ...hours.map(({ good, bad }) => good + bad))
  const tall = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / most) * (height - 2)))
  return (
    <Drawing className={css.drawing} width={hours.length * step} height={height} label={label}>
      {hours.map(({ good, bad }, index) => (
        // Hours have no id other than their place.
        // oxlint-disable-next-line react/no-array-index-key
        <g key={index}>
          <rect className={css.barGood} x={index * step + 0.4} width={step - 0.8} y={height - tall(good)} height={tall(good)} />
          <rect
            className={css.barBad}
            x={index * step + 0.4}
            width={step - 0.8}
            y={height - tall(good) - tall(bad)}
            height={tall(bad)}
          />
        </g>
      ))}
    </Drawing>
  )
}

type LinesProps = {
  readonly label: string
  readonly median: readonly Point[]
  readonly most: readonly Point[]
}

/** Two lines over the hours: the median, and above it the 95th percentile. */
export function HourLines({ label, median, most }: LinesProps) {
  const top = Math.max(1, ...most.map((value) => value ?? 0), ...median.map((value) => value ?? 0))
  return (
    <Drawing className={css.drawing} width={median.length * step} height={height} label={label}>
      <path className={css.lineMost} d={pathOf(most, top)} vectorEffect="non-scaling-stroke" />
      <path className={css.lineMedian} d={pathOf(median, top)} vectorEffect="non-scaling-stroke" />
    </Drawing>
  )
}

/**
 * A small drawing beside a row. The bar of each hour is as high as the share of its orders that was delivered, and has another
 * colour below 90 %.
 */
export function HourSpark({ label, parts }: { readonly label: string; readonly parts: readonly Point[] }) {
  return (
    <Drawing className={css.spark} width={parts.length * step} height={20} label={label}>
      {parts.map((part, index) =>
        part === null ? null : (
          <rect
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            className={part < 0.9 ? css.barBad : css.barGood}
            x={index * step + 0.4}
            width={step - 0.8}
            y={20 - Math.max(2, part * 20)}
            height={Math.max(2, part * 20)}
          />
        ),
      )}
    </Drawing>
  )
}
