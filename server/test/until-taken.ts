import { patienceSeconds } from './patience.ts'
import type { Answer } from './start-test-app.ts'

/**
 * Makes a call again while the answer to it is that the intake is busy and charged nothing, as the contract tells its
 * callers to. On a slow machine a call in a race may wait longer than it may, and is answered so. Any other answer
 * counts, and a busy answer that charged something after all shows: the repeat is then a replay.
 */
export async function untilTaken<T>(call: () => Promise<T>, isBusy: (answer: T) => boolean): Promise<T> {
  const deadline = Date.now() + patienceSeconds * 1_000
  for (;;) {
    const answer = await call()
    if (!isBusy(answer) || Date.now() > deadline) return answer
  }
}

/** The same for a call of the API. */
export function untilAnswered(call: () => Promise<Answer>): Promise<Answer> {
  return untilTaken(call, ({ headers }) => headers['x-error-reason'] === 'overloaded')
}
