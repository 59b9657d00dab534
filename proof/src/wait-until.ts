import { setTimeout as sleep } from 'node:timers/promises'

const pollMilliseconds = 20

/**
 * Waits until something holds; an error counts as "not yet".
 *
 * @throws when it does not hold in time, with the last error as the cause
 */
export async function waitUntil(what: string, seconds: number, holds: () => Promise<boolean> | boolean): Promise<void> {
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
    if (performance.now() - startedAt > seconds * 1_000) throw new Error(`after ${seconds} s still not: ${what}`, { cause })
    await sleep(pollMilliseconds)
  }
}
