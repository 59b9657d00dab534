import { setTimeout as sleep } from 'node:timers/promises'

/** How long a test waits for what must come, in seconds. Only what never comes is given up: nothing says how fast it must be. */
export const patienceSeconds = 90

/** The time in which a test shows that something does not happen. What must happen is waited for instead. */
export const sleepToProveAbsence = (milliseconds: number): Promise<void> => sleep(milliseconds)
