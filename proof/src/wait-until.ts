import { setTimeout as sleep } from 'node:timers/promises'

const pollMilliseconds = 20

/** Very long, because a proof never checks speed. */
const patienceSeconds = 90

/**
 * Waits until something holds; an error counts as "not yet".
 *
 * @throws when it does not hold in time, with the last error as the cause
 */
export async function waitUntil(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
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
    await sleep(pollMilliseconds)
  }
}
