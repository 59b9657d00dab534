import type { Ratio } from './report.ts'

/** A ratio that should be at least this. */
export function atLeast(name: string, value: number, goal: number, behind: string): Ratio {
  return { name, value, goal: `≥ ${goal}`, isMet: value >= goal, behind }
}

/** A ratio that should be at most this. */
export function atMost(name: string, value: number, goal: number, behind: string): Ratio {
  return { name, value, goal: `≤ ${goal}`, isMet: value <= goal, behind }
}

/** A figure that should be below this. */
export function below(name: string, value: number, goal: number, behind: string): Ratio {
  return { name, value, goal: `< ${goal}`, isMet: value < goal, behind }
}

const rounded = (value: number) => Math.round(value).toLocaleString('en-US')

/** Two rates behind a ratio. */
export function rates(ours: number, baseline: number, unit = ''): string {
  return `${rounded(ours)}${unit}/s against ${rounded(baseline)}${unit}/s`
}

/** Two amounts of processor time behind a ratio. */
export function microseconds(ours: number, baseline: number): string {
  return Number.isNaN(ours + baseline) ? 'not measured' : `${rounded(ours)} µs against ${rounded(baseline)} µs`
}

/** Two times behind a ratio. */
export function milliseconds(ours: number, baseline: number): string {
  return `p50 ${ours.toFixed(2)} ms against ${baseline.toFixed(2)} ms`
}
