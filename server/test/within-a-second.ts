import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

const promisedMilliseconds = 1_000

/**
 * What a process says of a change that every process has seen within a second: `wanted` as soon as it is said, or else
 * what is answered to a question that begins after that second. How long the question itself takes, which may be long on
 * a slow machine, is nobody's promise.
 */
export async function saidWithinASecond(wanted: unknown, ask: () => Promise<unknown>): Promise<unknown> {
  const promisedAt = performance.now() + promisedMilliseconds
  for (;;) {
    const isPromised = performance.now() > promisedAt
    const said = await ask()
    if (isPromised || isDeepStrictEqual(said, wanted)) return said
    await sleep(25)
  }
}
