/** If the wall clock went back by more than this, it cannot be used to measure the deadline. */
const clockStepToleranceMilliseconds = 1_000

/**
 * Starts the send deadline of an attempt, and returns a function that says whether the attempt may still be sent. Call
 * this immediately before the statement that commits the attempt with its `send_before`: then the deadline here ends no
 * later than the one in the database.
 *
 * Both clocks must agree. The monotonic clock stops while a machine is suspended, and the wall clock can be changed. If
 * either says "too late", it is too late; a wall clock that was set back by more than a second counts as too late as
 * well.
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
