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
 * Does something that a standstill of the machine would change, because the product answers within time limits: done
 * again while the machine stood still during it. Each round uses names of its own.
 */
export async function undisturbed<Result>(work: (round: number) => Promise<Result>): Promise<Result> {
  for (let round = 0; ; round += 1) {
    const standstills = countStandstills()
    const [done] = await Promise.allSettled([work(round)])
    if (standstills() > 0 && round < roundsMax) continue
    if (done.status === 'rejected') throw done.reason
    return done.value
  }
}
