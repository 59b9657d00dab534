/** Interval of the checks of the clock. */
const everyMilliseconds = 50

/**
 * Adds up the time in which the machine did not run this process; other processes lost about as much. Nearly 0 on a quiet
 * machine.
 * @returns a function that stops and returns the seconds
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
