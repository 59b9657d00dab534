/** Interval of the checks of the clock. */
const everyMilliseconds = 50

/** A shorter standstill of the machine ends no time limit of the product. */
const standstillMilliseconds = 1_000

/** After this many disturbed rounds, the last one counts: a machine that keeps standing still proves nothing. */
const roundsMax = 10

/**
 * Counts standstills of this process, and so of the whole machine.
 * @returns a function that stops and returns the count
 */
export function countStandstills(): () => number {
  let count = 0
  let lastAt = performance.now()
  function look(): void {
    const now = performance.now()
    if (now - lastAt - everyMilliseconds > standstillMilliseconds) count += 1
    lastAt = now
  }
  const timer = setInterval(look, everyMilliseconds)
  return () => {
    clearInterval(timer)
    look()
    return count
  }
}

/**
 * Observes something that a standstill of the machine changes, because the product answers within time limits. Repeats it while
 * the machine stood still during a round; each round uses its own names, and the caller judges the last one. `observe` checks in
 * every round what must hold on any machine: when it throws, no round follows. It returns undefined when the machine was too
 * slow.
 */
export async function undisturbed<Observed>(observe: (round: number) => Promise<Observed>): Promise<Observed> {
  for (let round = 0; ; round += 1) {
    const standstills = countStandstills()
    const observed = await observe(round).catch((error: unknown) => {
      standstills()
      throw error
    })
    if ((standstills() === 0 && observed !== undefined) || round === roundsMax) return observed
  }
}
