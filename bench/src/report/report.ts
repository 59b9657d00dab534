import { type Costs, processNames } from '../measure/processor-time.ts'

/** A ratio for which the project has a goal, and its value in this run. */
export type Ratio = {
  readonly name: string
  readonly value: number
  readonly goal: string
  readonly isMet: boolean
  readonly behind: string
}

/** How often something was done per second, and its cost for each process. */
export type Cost = {
  readonly name: string
  readonly perSecond?: number
  readonly costs: Costs
}

export type Series = { readonly name: string; readonly points: readonly (readonly [x: number, y: number])[] }

export type Plot = {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  readonly series: readonly Series[]
}

export type Report = {
  readonly startedAt: string
  readonly machine: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, number | string>>
  readonly ratios: readonly Ratio[]
  readonly costs: readonly Cost[]
  /** Requests per second, unless the name gives another unit. */
  readonly figures: Readonly<Record<string, number>>
  readonly plots: readonly Plot[]
}

function number(value: number): string {
  if (Number.isNaN(value)) return 'not measured'
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2)
}

function layOut(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n')
}

const costHead = ['µs of processor time each', 'per second', ...processNames]

function costRows(costs: readonly Cost[]): string[][] {
  return costs.map(({ name, perSecond, costs: each }) => {
    const isMeasured = Object.keys(each).length > 0
    const rate = perSecond === undefined ? '' : Math.round(perSecond).toLocaleString('en-US')
    return [name, rate, ...processNames.map((process) => costText(each[process], isMeasured))]
  })
}

function costText(microseconds: number | undefined, isMeasured: boolean): string {
  if (!isMeasured) return 'not measured'
  if (microseconds === undefined) return '–'
  return microseconds < 10 ? microseconds.toFixed(1) : Math.round(microseconds).toLocaleString('en-US')
}

const ratioHead = ['measured', 'ratio', 'goal', '', 'behind it']

export function printReport(report: Report): string {
  const ratios = report.ratios.map((ratio) => [
    ratio.name,
    number(ratio.value),
    ratio.goal,
    ratio.isMet ? 'met' : 'not met',
    ratio.behind,
  ])
  const tables = [layOut(ratioHead, ratios), ...(report.costs.length > 0 ? [layOut(costHead, costRows(report.costs))] : [])]
  return tables.join('\n\n')
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const colours = ['#0b6e4f', '#c8553d', '#2f4b7c', '#a05195', '#b58900']
const width = 640
const height = 320
const margin = { left: 64, right: 140, top: 16, bottom: 44 }

/** One plot as SVG. The steps of x are evenly spaced, because connections and orders grow by factors. */
function drawPlot({ title, xLabel, yLabel, series }: Plot): string {
  const xs = [...new Set(series.flatMap(({ points }) => points.map(([x]) => x)))].toSorted((a, b) => a - b)
  const top = Math.max(1, ...series.flatMap(({ points }) => points.map(([, y]) => y))) * 1.1
  const innerWidth = width - margin.left - margin.right
  const innerHeight = height - margin.top - margin.bottom
  const px = (x: number) => margin.left + (xs.length < 2 ? innerWidth / 2 : (xs.indexOf(x) / (xs.length - 1)) * innerWidth)
  const py = (y: number) => margin.top + innerHeight * (1 - y / top)
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => share * top)
  const grid = ticks.map(
    (y) =>
      `<line x1="${margin.left}" x2="${width - margin.right}" y1="${py(y)}" y2="${py(y)}" stroke="#ddd"/>` +
      `<text x="${margin.left - 8}" y="${py(y) + 4}" text-anchor="end">${number(y)}</text>`,
  )
  const steps = xs.map(
    (x) => `<text x="${px(x)}" y="${height - margin.bottom + 18}" text-anchor="middle">${number(x).replace('.00', '')}</text>`,
  )
  const lines = series.map(({ name, points }, index) => {
    const colour = colours[index % colours.length]
    const path = points.map(([x, y], step) => `${step === 0 ? 'M' : 'L'}${px(x)} ${py(y)}`).join(' ')
    const dots = points.map(([x, y]) => `<circle cx="${px(x)}" cy="${py(y)}" r="3.5" fill="${colour}"/>`).join('')
    const last = points.at(-1)
    const label = last ? `<text x="${px(last[0]) + 8}" y="${py(last[1]) + 4}" fill="${colour}">${escapeHtml(name)}</text>` : ''
    return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}${label}`
  })
  return (
    `<figure><figcaption>${escapeHtml(title)}</figcaption><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">` +
    `${grid.join('')}${steps.join('')}${lines.join('')}` +
    `<text x="${margin.left + innerWidth / 2}" y="${height - 6}" text-anchor="middle">${escapeHtml(xLabel)}</text>` +
    `<text transform="translate(14 ${margin.top + innerHeight / 2}) rotate(-90)" text-anchor="middle">${escapeHtml(yLabel)}</text></svg></figure>`
  )
}

/** The report as an HTML page: the table, the plots, every figure. */
export function renderReport(report: Report): string {
  const ratios = report.ratios.map(
    (ratio) =>
      `<tr><td>${escapeHtml(ratio.name)}</td><td class="n">${number(ratio.value)}</td><td>${escapeHtml(ratio.goal)}</td>` +
      `<td>${ratio.isMet ? '✓ met' : '✗ not met'}</td><td>${escapeHtml(ratio.behind)}</td></tr>`,
  )
  const costs = costRows(report.costs).map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
  const heads = (titles: readonly string[]) => titles.map((title) => `<th>${escapeHtml(title)}</th>`).join('')
  const list = (entries: Readonly<Record<string, number | string>>) =>
    Object.entries(entries)
      .map(
        ([name, value]) =>
          `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(typeof value === 'number' ? number(value) : value)}</dd>`,
      )
      .join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Makola bench</title>
<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d1d1f}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #ddd}td.n{font-weight:600}
figure{margin:2rem 0}figcaption{font-weight:600}svg{width:100%;height:auto;font-size:12px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0}
</style></head><body>
<h1>Makola bench</h1><p>${escapeHtml(report.startedAt)}</p>
<table><thead><tr>${heads(ratioHead)}</tr></thead><tbody>${ratios.join('')}</tbody></table>
<h2>Processor time</h2><table><thead><tr>${heads(costHead)}</tr></thead><tbody>${costs.join('')}</tbody></table>
${report.plots.map(drawPlot).join('\n')}
<h2>Figures</h2><dl>${list(report.figures)}</dl>
<h2>Machine and options</h2><dl>${list(report.machine)}${list(report.options)}</dl>
</body></html>
`
}
