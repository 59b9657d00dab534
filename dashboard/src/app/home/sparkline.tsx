import css from './home.module.css'

const width = 120
const height = 40

/** The points of a line that begins at 0, in the units of the drawing. */
function pathOf(values: readonly number[], steps: number, most: number): string {
  const points = [0, ...values].map((value, index) => {
    const x = (index / steps) * width
    const y = height - 2 - (value / most) * (height - 4)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return `M${points.join('L')}`
}

type Props = {
  readonly label: string
  /** The sales of today, added up hour by hour until now. */
  readonly values: readonly number[]
  /** The sales of the same day of last week, added up hour by hour over the whole day. */
  readonly before: readonly number[]
}

/** Draws today's sales as a line, beside the dotted one of a week ago. */
export function Sparkline({ label, values, before }: Props) {
  const steps = Math.max(before.length, values.length)
  const most = Math.max(1, ...values, ...before)
  return (
    <svg className={css.sparkline} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <path className={css.lineBefore} d={pathOf(before, steps, most)} />
      <path className={css.line} d={pathOf(values, steps, most)} />
    </svg>
  )
}
