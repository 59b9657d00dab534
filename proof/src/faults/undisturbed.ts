/** Interval of the checks of the clock. */
const everyMilliseconds = 50

/** A shorter standstill of the machine does not count, because it ends no time limit of the product. */
const standstillMilliseconds = 1_000

/** After this many disturbed rounds the next one is the last, whether it is disturbed or not. */
const roundsMax = 10

/**
 * Counts standstills of this process, and so of the whole machine.
 * @returns a function that stops and returns the count
 */
export function countStandstills(): () => number {
  let count = 0
  let lastAt = performance.now()
  function checkClock(): void {
    const now = performance.now()
    if (now - lastAt - everyMilliseconds > standstillMilliseconds) count += 1
    lastAt = now
  }
  const timer = setInterval(checkClock, everyMilliseconds)
  return () => {
    clearInterval(timer)
    checkClock()
    return count
  }
}

/**
 * Observes something that a standstill of the machine would change, because the product answers within time limits. Observes it
 * again after each round in which the machine stood still, or in which `observe` returned undefined because the machine was too
 * slow. Each round must use names of its own. `observe` checks what must hold on any machine: when it throws, no round follows.
 * @returns what the last round observed, for the caller to judge
 */
export async function observeUndisturbed<Observed>(observe: (round: number) => Promise<Observed>): Promise<Observed> {
  for (let round = 0; ; round += 1) {
    const standstills = countStandstills()
    const observed = await observe(round).catch((error: unknown) => {
      standstills()
      throw error
    })
    if ((standstills() === 0 && observed !== undefined) || round === roundsMax) return observed
  }
}

/**
 * Adds up the time in which the machine did not run this process; other processes lost about as much. Nearly 0 on a quiet
 * machine.
 * @returns a function that stops and returns the seconds
 */
export function measureLostTime(): () => number {
  let lostMilliseconds = 0
  let lastAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    lostMilliseconds += Math.max(0, now - lastAt - everyMilliseconds)
    lastAt = now
  }, everyMilliseconds)
  return () => {
    clearInterval(timer)
    return lostMilliseconds / 1_000
  }
}
