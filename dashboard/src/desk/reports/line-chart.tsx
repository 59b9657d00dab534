import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import './valid-language.ts'
import UPlot from 'uplot'
import { showDay } from '../../both/moments/format-moment.ts'
import { reportWords } from '../words/reports.ts'
import css from './line-chart.module.css'

export type ChartLine = {
  readonly title: string
  readonly values: readonly (number | null)[]
  readonly tone: 'accent' | 'warn' | 'soft'
  /** True for the line of the period before. */
  readonly isDashed?: boolean
}

type Props = {
  /** The name of the chart for screen readers. A table beside it has the same figures. */
  readonly label: string
  /** The moment of each value, as seconds since 1970. */
  readonly seconds: readonly number[]
  readonly lines: readonly ChartLine[]
  readonly format: (value: number) => string
}

const height = 240
const dayTitle = reportWords.groupings.day

/** Reads the colour of a class of the style sheet, because a canvas cannot use the variables of CSS. */
function colourOf(place: HTMLElement, name: string | undefined): string {
  const probe = document.createElement('span')
  probe.className = name ?? ''
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function optionsOf(place: HTMLElement, lines: readonly ChartLine[], format: Props['format']): UPlot.Options {
  const axis: UPlot.Axis = {
    stroke: colourOf(place, css.soft),
    grid: { stroke: colourOf(place, css.grid), width: 1 },
    ticks: { show: false },
    font: `12px ${getComputedStyle(place).fontFamily}`,
  }
  return {
    width: place.clientWidth,
    height,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Africa/Accra'),
    cursor: { y: false, drag: { x: false, y: false } },
    legend: { live: true },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map((tick) => showDay(new Date(tick * 1_000)).replace(/ \d{4}$/, '')), space: 64 },
      { ...axis, size: 72, values: (_, ticks) => ticks.map((tick) => tick.toLocaleString('en-GH')) },
    ],
    series: [
      { label: dayTitle, value: (_, seconds) => (seconds === null ? '' : showDay(new Date(seconds * 1_000))) },
      ...lines.map(({ title, tone, isDashed }) => ({
        label: title,
        stroke: colourOf(place, css[tone]),
        width: 2,
        ...(isDashed && { dash: [4, 4] }),
        points: { show: false },
        value: (_: UPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
  }
}

/** Values over time as lines, as wide as their container. */
export default function LineChart({ label, seconds, lines, format }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme()
  useEffect(() => {
    const { current } = place
    if (!current) return undefined
    const data = [[...seconds], ...lines.map(({ values }) => [...values])] as UPlot.AlignedData
    const chart = new UPlot(optionsOf(current, lines, format), data, current)
    const watch = new ResizeObserver(() => chart.setSize({ width: current.clientWidth, height }))
    watch.observe(current)
    return () => {
      watch.disconnect()
      chart.destroy()
    }
    // The chart is also drawn again when the colour scheme changes, because then its colours change.
  }, [seconds, lines, format, scheme])
  return (
    <figure className={css.chart} role="img" aria-label={label}>
      <div ref={place} />
    </figure>
  )
}
