import { setTimeout as sleep } from 'node:timers/promises'

const pauseMilliseconds = { min: 20, max: 500 }

/** Very long, because a proof never checks speed. */
const patienceSeconds = 150

/**
 * Waits until a condition holds; an error counts as "not yet". Pauses three times as long as each check took, to leave the
 * processors to the product.
 * @throws when it does not hold in time, with the last error as the cause
 */
export async function waitUntil(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const lookedAt = performance.now()
    let cause: unknown
    const isReached = await Promise.resolve()
      .then(holds)
      .catch((error: unknown) => {
        cause = error
        return false
      })
    if (isReached) return
    if (performance.now() - startedAt > patienceSeconds * 1_000)
      throw new Error(`after ${patienceSeconds} s still not: ${what}`, { cause })
    const pause = 3 * (performance.now() - lookedAt)
    await sleep(Math.min(Math.max(pause, pauseMilliseconds.min), pauseMilliseconds.max))
  }
}
