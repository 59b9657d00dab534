/** A wall clock that went back by more than this cannot be compared with the window any more. */
const clockStepToleranceMilliseconds = 1_000

/**
 * Opens the time in which an attempt may be sent, and returns the question whether it is still open.
 * Call it immediately before the statement that commits the attempt with its `send_before`: then the window
 * here ends no later than the one in the database.
 *
 * Both clocks must agree. The monotonic one does not run while a machine is suspended, the wall clock can
 * be set; whichever says "too late" is believed, and a wall clock that was set back makes it too late as well.
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
