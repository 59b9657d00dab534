import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

const promisedMilliseconds = 1_000

/**
 * Asks what a process says about a change that every process must see within a second. Returns `wanted` as soon as it
 * is the answer; otherwise the answer to the first question that begins after that second. How long a question itself
 * takes does not count, because that may be long on a slow machine.
 * @param everyMilliseconds how long to wait between questions; longer where a limit counts them
 */
export async function readWithinASecond(wanted: unknown, ask: () => Promise<unknown>, everyMilliseconds = 25): Promise<unknown> {
  const promisedAt = performance.now() + promisedMilliseconds
  for (;;) {
    const isPromised = performance.now() > promisedAt
    const said = await ask()
    if (isPromised || isDeepStrictEqual(said, wanted)) return said
    await sleep(everyMilliseconds)
  }
}
