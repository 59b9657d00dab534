import type { Ratio } from './report.ts'

export function atLeast(name: string, value: number, goal: number, behind: string): Ratio {
  return { name, value, goal: `≥ ${goal}`, isMet: value >= goal, behind }
}

export function atMost(name: string, value: number, goal: number, behind: string): Ratio {
  return { name, value, goal: `≤ ${goal}`, isMet: value <= goal, behind }
}

export function below(name: string, value: number, goal: number, behind: string): Ratio {
  return { name, value, goal: `< ${goal}`, isMet: value < goal, behind }
}

const rounded = (value: number) => Math.round(value).toLocaleString('en-US')

export function rates(ours: number, baseline: number, unit = ''): string {
  return `${rounded(ours)}${unit}/s against ${rounded(baseline)}${unit}/s`
}

export function microseconds(ours: number, baseline: number): string {
  return Number.isNaN(ours + baseline) ? 'not measured' : `${rounded(ours)} µs against ${rounded(baseline)} µs`
}

export function milliseconds(ours: number, baseline: number): string {
  return `p50 ${ours.toFixed(2)} ms against ${baseline.toFixed(2)} ms`
}
