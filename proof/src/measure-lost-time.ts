/** So often the clock is looked at, to notice every time in which the machine ran something else. */
const everyMilliseconds = 50

/**
 * Adds up the time in which the machine did not let this process run. The other processes lost about as much. On a
 * quiet machine it is nearly 0.
 *
 * @returns a function that stops and gives the seconds
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
