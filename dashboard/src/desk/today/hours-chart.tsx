import { fieldWords } from '../../both/field-words.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { todayWords as words } from '../words/today.ts'
import css from './today.module.css'

type Hour = { readonly orders: number; readonly sales: number }
type Props = { readonly hours: readonly Hour[]; readonly before: readonly Hour[]; readonly day: string }

const hoursOfDay = 24
/** Narrower on a phone, where a wide chart and its words would shrink to a third. */
const width = globalThis.matchMedia?.('(min-width: 40em)').matches ? 960 : 360
const height = 200
const foot = 20
const step = width / hoursOfDay
const labelled = [0, 6, 12, 18]

const twoDigits = (hour: number) => String(hour).padStart(2, '0')

/** The sales of each hour: today as bars, the same day last week as a line of steps behind them. */
export function HoursChart({ hours, before, day }: Props) {
  const most = Math.max(1, ...hours.map(({ sales }) => sales), ...before.map(({ sales }) => sales))
  const yOf = (sales: number) => height - foot - (sales / most) * (height - foot - 8)
  const steps = before.map(({ sales }, hour) => `${hour === 0 ? 'M' : 'L'}${hour * step},${yOf(sales)}H${(hour + 1) * step}`)
  return (
    <svg className={css.chart} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words.hourlyLabel(day)}>
      <path className={css.axis} d={`M0,${height - foot}H${width}`} />
      {hours.map(({ sales }, hour) => (
        <rect
          key={hour}
          className={hour === hours.length - 1 ? css.barNow : css.bar}
          x={(hour + 0.125) * step}
          y={yOf(sales)}
          width={0.75 * step}
          height={height - foot - yOf(sales)}
          rx="3"
        >
          <title>{`${twoDigits(hour)}:00 ${formatGhs(sales)}`}</title>
        </rect>
      ))}
      <path className={css.stepsBefore} d={steps.join('')} />
      {labelled.map((hour) => (
        <text key={hour} className={css.tick} x={hour * step + 4} y={height - 4}>
          {`${twoDigits(hour)}:00`}
        </text>
      ))}
    </svg>
  )
}

/** The figures of `HoursChart`, as a table. */
export function HoursTable({ hours, before, day }: Props) {
  return (
    <details className={css.asTable}>
      <summary>{fieldWords.asTable}</summary>
      <table aria-label={words.hourlyLabel(day)}>
        <thead>
          <tr>
            <th scope="col">{fieldWords.hour}</th>
            <th scope="col">{fieldWords.today}</th>
            <th scope="col">{words.beforeBar(day)}</th>
          </tr>
        </thead>
        <tbody>
          {before.map(({ sales }, hour) => {
            const now = hours[hour]
            return (
              <tr key={hour}>
                <th scope="row">{twoDigits(hour)}:00</th>
                <td>{now ? formatGhs(now.sales) : ''}</td>
                <td>{formatGhs(sales)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </details>
  )
}
