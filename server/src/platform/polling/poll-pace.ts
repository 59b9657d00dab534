import { setTimeout as sleep } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import type { Hints } from './listen-for-hints.ts'
import type { AskDue } from './share-polls.ts'

/** A timer may fire early by this much and still counts as on time. */
const slackMilliseconds = 10

/** The start of the present second. If a timer fires a little early, it is the second for which the timer waited. */
export const lastSharedSecond = () => Math.floor((performance.now() + slackMilliseconds) / 1_000) * 1_000

/**
 * Changes a wait a little, so that it ends together with other waits of this process: at a whole second, or at half a second
 * where less than a second is asked for. So a resting process wakes twice a second for all its loops, instead of once for each.
 * No wait gets longer by more than the slack; one that is too short for this is not changed.
 */
export function alignToSharedTick(milliseconds: number): number {
  const now = performance.now()
  const tick = milliseconds < 1_000 ? 500 : 1_000
  const at = Math.floor((now + milliseconds + slackMilliseconds) / tick) * tick
  return at - now > slackMilliseconds ? at - now : milliseconds
}

/** A loop that has found nothing for this long begins to rest, as long as hints arrive. */
const restAfterMilliseconds = 10_000

/** A resting loop looks this often. An order that becomes due without a hint waits about this long at most. */
const restMilliseconds = 1_000

/** Decides how often a loop looks for work. */
export type PollPace = {
  /** Called when work was found, so that the loop does not rest for a while. */
  recordWork(): void
  /**
   * True when this look may find work. A resting loop asks this SQL condition together with other loops; it must hold whenever
   * the look would find work. A loop that does not rest gets true at once.
   */
  mayFind(condition: RawBuilder<unknown>): Promise<boolean>
  pauseMilliseconds(): number
  /** Waits for the next look. Ends early at a hint, or when the signal aborts. */
  pause(signal: AbortSignal): Promise<void>
}

/**
 * Paces a loop: it looks every `everyMilliseconds` while there is work, and once a second after a while without work.
 * Without hints it never rests.
 */
export function openPollPace(everyMilliseconds: number, hints: Hints | undefined, askDue?: AskDue): PollPace {
  let workAt = performance.now()
  let wake: () => void = () => undefined

  const isResting = () => hints?.isListening() === true && performance.now() - workAt > restAfterMilliseconds
  const pauseMilliseconds = () => (isResting() ? alignToSharedTick(restMilliseconds) : everyMilliseconds)
  const noteWork = () => {
    workAt = performance.now()
  }

  hints?.onHint(() => {
    noteWork()
    wake()
  })
  return {
    recordWork: noteWork,
    mayFind: async (condition) => (isResting() && askDue ? askDue(condition) : true),
    pauseMilliseconds,
    async pause(signal) {
      const over = new AbortController()
      wake = () => over.abort()
      await sleep(pauseMilliseconds(), undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => undefined)
    },
  }
}
