/** A wall clock that went back by more than this cannot measure the deadline. */
const clockStepToleranceMilliseconds = 1_000

/**
 * Starts the send deadline of an attempt. Returns a function that says whether the attempt may still be sent. Call this
 * immediately before the statement that commits the attempt with its `send_before`: this deadline then ends no later than
 * the stored one.
 *
 * The attempt is too late when either clock says so: the monotonic clock stops while a machine is suspended, and the wall
 * clock can be changed. A wall clock that was set back by more than a second counts as too late as well.
 */
export function startSendDeadline(windowSeconds: number): () => boolean {
  const monotonicStart = performance.now()
  const wallStart = Date.now()
  const windowMilliseconds = windowSeconds * 1_000
  return () => {
    const monotonicElapsed = performance.now() - monotonicStart
    const wallElapsed = Date.now() - wallStart
    if (wallElapsed < -clockStepToleranceMilliseconds) return false
    return Math.max(monotonicElapsed, wallElapsed) < windowMilliseconds
  }
}
