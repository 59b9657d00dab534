import { setTimeout as sleep } from 'node:timers/promises'
import { dayInAccra } from '../../src/reports/period.ts'

/** Clocks in Accra show UTC. */
const periods = {
  hour: { milliseconds: 3_600_000, soonMilliseconds: 60_000 },
  day: { milliseconds: 86_400_000, soonMilliseconds: 300_000 },
} as const

/** Waits for the end of this hour or day if it ends soon, so that everything a test does falls into the same one. */
export async function waitUntilFarFromEnd(period: keyof typeof periods): Promise<void> {
  const { milliseconds, soonMilliseconds } = periods[period]
  const leftMilliseconds = milliseconds - (Date.now() % milliseconds)
  // A second more, for a timer that is early.
  if (leftMilliseconds < soonMilliseconds) await sleep(leftMilliseconds + 1_000)
}

/** Today in Accra, once it lasts as long as the tests of a file take. */
export async function readTodayThatLasts(): Promise<string> {
  await waitUntilFarFromEnd('day')
  return dayInAccra(new Date())
}
