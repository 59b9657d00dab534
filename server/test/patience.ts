import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How many seconds a test waits for something that must happen. It is long, because a test never checks speed: it fails
 * only when the thing never happens.
 */
export const patienceSeconds = 150

/**
 * How many seconds a call to the simulator may take, where a test does not want answers to be lost. The usual second is too
 * short for a busy machine, and more than this may not be set.
 */
export const patientCallSeconds = 30

/** In milliseconds: what lasts so long in the simulator, or in a setting, lasts until the test itself ends it. */
export const anHour = 3_600_000

/** Waits for a time in which something must not happen. For things that must happen, wait for them instead. */
export const sleepToProveAbsence = (milliseconds: number): Promise<void> => sleep(milliseconds)

const pauseMilliseconds = { min: 25, max: 500 }

/**
 * Looks again and again until it is true. After a look it pauses three times as long as the look took: the processors are
 * for those who bring it about.
 *
 * @throws Error with this message when the patience is over
 */
export async function untilTrue(isTrue: () => boolean | Promise<boolean>, message: () => string): Promise<void> {
  const deadline = Date.now() + patienceSeconds * 1_000
  for (;;) {
    const lookedAt = performance.now()
    if (await isTrue()) return
    if (Date.now() > deadline) throw new Error(message())
    const pause = 3 * (performance.now() - lookedAt)
    await sleep(Math.min(Math.max(pause, pauseMilliseconds.min), pauseMilliseconds.max))
  }
}
