/** How long a test waits for what must come, in seconds. Only what never comes is given up: nothing says how fast it must be. */
export const patienceSeconds = 90
