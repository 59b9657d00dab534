/** So often the clock is looked at. */
const everyMilliseconds = 50

/** A standstill of the machine that is shorter ends no time limit of the product. */
const standstillMilliseconds = 1_000

/** A machine that stands still again and again proves nothing, and says so by the result of the last round. */
const roundsMax = 10

/**
 * Counts how often this process, and so the whole machine, stands still.
 *
 * @returns a function that stops and gives the count
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
 * Observes something that a standstill of the machine changes, because the product answers within time limits. It is
 * observed again while the machine stood still during it, each round with names of its own, and the caller judges what the
 * last round gives. What must hold on any machine is checked within `observe`, in every round: a throw ends it at once.
 * `observe` gives undefined where it saw by itself that the machine was too slow.
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
