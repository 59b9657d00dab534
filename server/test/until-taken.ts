import { patienceSeconds } from './patience.ts'

/**
 * Repeats a call while the answer is that the intake is busy and nothing was charged, as the contract tells callers to
 * do. On a slow machine, calls in a race may wait too long and get this answer. Any other answer counts. If a busy
 * answer had charged something after all, the repeat would be a replay, and the test would see that.
 */
export async function untilTaken<T>(call: () => Promise<T>, isBusy: (answer: T) => boolean): Promise<T> {
  const deadline = Date.now() + patienceSeconds * 1_000
  for (;;) {
    const answer = await call()
    if (!isBusy(answer) || Date.now() > deadline) return answer
  }
}

type Answered = { readonly headers: Readonly<Record<string, unknown>> }

const isOverloaded = ({ headers }: Answered) => headers['x-error-reason'] === 'overloaded'

/** Repeats a call of the API that is refused because the server has too much to do, until the call is taken. */
export function untilAnswered<Answer extends Answered>(call: () => Promise<Answer>): Promise<Answer> {
  return untilTaken(call, isOverloaded)
}

/** A busy answer that took longer than this came because a call waits for its batch no longer than three seconds. */
const heldUpMilliseconds = 2_500

const heldUpRepeats = 3

/**
 * Repeats a call some times while its answer is that nothing was charged, and came late: a machine that stands still for
 * seconds makes calls wait too long that no test delays. A busy answer that comes at once counts, and so does one that
 * comes late again and again, because the test itself holds up the call.
 */
export async function unlessHeldUp<Answer extends Answered>(call: () => Promise<Answer>): Promise<Answer> {
  for (let repeats = 0; ; repeats += 1) {
    const calledAt = performance.now()
    const answer = await call()
    const isHeldUp = isOverloaded(answer) && performance.now() - calledAt > heldUpMilliseconds
    if (!isHeldUp || repeats === heldUpRepeats) return answer
  }
}
