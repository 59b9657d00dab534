import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How many seconds a test waits for something that must happen. It is long, because a test never checks speed: it fails
 * only when the thing never happens.
 */
export const patienceSeconds = 90

/** Waits for a time in which something must not happen. For things that must happen, wait for them instead. */
export const sleepToProveAbsence = (milliseconds: number): Promise<void> => sleep(milliseconds)
