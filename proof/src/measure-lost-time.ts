/** Looks often enough to see every stretch in which the machine ran something else. */
const everyMilliseconds = 50

/**
 * Adds up the time that the machine did not let this process run, as a measure of what it took from the others too. On a
 * quiet machine it is next to nothing.
 *
 * @returns a function that stops, and says the seconds
 */
export function measureLostTime(): () => number {
  let lostMilliseconds = 0
  let lastAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    lostMilliseconds += Math.max(0, now - lastAt - everyMilliseconds)
    lastAt = now
  }, everyMilliseconds)
  return () => {
    clearInterval(timer)
    return lostMilliseconds / 1_000
  }
}
