import { patienceSeconds } from './patience.ts'
import type { Answer } from './start-test-app.ts'

/**
 * Repeats a call while the answer is that the intake is busy and nothing was charged, as the contract tells callers to
 * do. On a slow machine, calls in a race may wait too long and get this answer. Any other answer counts. If a busy
 * answer had charged something after all, the repeat would be a replay, and the test would see that.
 */
export async function retryWhileBusy<T>(call: () => Promise<T>, isBusy: (answer: T) => boolean): Promise<T> {
  const deadline = Date.now() + patienceSeconds * 1_000
  for (;;) {
    const answer = await call()
    if (!isBusy(answer) || Date.now() > deadline) return answer
  }
}

/** Repeats a call of the API that is refused because the server has too much to do, until the call is taken. */
export function retryWhileOverloaded(call: () => Promise<Answer>): Promise<Answer> {
  return retryWhileBusy(call, ({ headers }) => headers['x-error-reason'] === 'overloaded')
}
