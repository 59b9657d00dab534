/** The wait after a 429 that names no time. Suppliers count requests by the minute. */
const secondsDefault = 15
const secondsMax = 3_600

/** Whole seconds to wait after a 429: as long as the answer asks for, at least one second, at most an hour. */
export function throttledSeconds(named: number | undefined): number {
  return Math.min(secondsMax, Math.max(1, Math.ceil(named ?? secondsDefault)))
}
