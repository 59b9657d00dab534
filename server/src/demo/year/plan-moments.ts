import type { Chance } from './chance.ts'

const hourMilliseconds = 3_600_000

/** How busy each hour of the day is in Accra: quiet nights, a first peak at noon, the highest in the evening. */
const hourWeights = [4, 2, 1, 1, 2, 5, 12, 22, 34, 42, 47, 50, 52, 48, 45, 45, 48, 54, 62, 68, 66, 50, 28, 12]

/** Sunday first. Data sells best towards the weekend. */
const weekdayWeights = [0.8, 0.95, 0.95, 1, 1.05, 1.25, 1.15]

/** How much busier the end of the period is than its beginning. */
const growth = 2.5

function weightOf(hourStart: number, from: number, until: number): number {
  const at = new Date(hourStart)
  const progress = (hourStart - from) / (until - from)
  return (hourWeights[at.getUTCHours()] ?? 1) * (weekdayWeights[at.getUTCDay()] ?? 1) * (1 + (growth - 1) * progress)
}

/** Moments of `count` orders, in order, spread by hour, weekday and growth as in a real shop. */
export function planMoments(chance: Chance, count: number, from: number, until: number): number[] {
  const starts: number[] = []
  for (let start = from; start < until; start += hourMilliseconds) starts.push(start)
  const weights = starts.map((start) => weightOf(start, from, until))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const moments: number[] = []
  let hour = 0
  let passed = 0
  for (let index = 0; index < count; index += 1) {
    // One in each of `count` equal shares of the whole, so that the moments come out in order.
    const target = ((index + chance.next()) / count) * total
    while (hour < starts.length - 1 && passed + (weights[hour] ?? 0) < target) {
      passed += weights[hour] ?? 0
      hour += 1
    }
    const start = starts[hour] ?? from
    const length = Math.min(hourMilliseconds, until - start)
    moments.push(Math.floor(start + Math.min(1, (target - passed) / (weights[hour] ?? 1)) * (length - 1)))
  }
  return moments
}
