/** A timer may be off by this much, and is then still one of its moment. */
const slackMilliseconds = 10

/** The whole second to which this moment belongs: the next wait of a second ends in a later one, also when this moment came late. */
export const lastSharedSecond = () => Math.floor((performance.now() + slackMilliseconds) / 1_000) * 1_000

/**
 * How long to wait so that about this time passes, and the wait ends together with others of this process: at a whole
 * second, or at half a second where less than a second is asked for. So a process that rests wakes twice a second for
 * all that it looks at, instead of once for each. No wait is longer than asked for by more than the slack; one that is
 * too short for this is not changed.
 */
export function untilSharedTick(milliseconds: number): number {
  const now = performance.now()
  const tick = milliseconds < 1_000 ? 500 : 1_000
  const at = Math.floor((now + milliseconds + slackMilliseconds) / tick) * tick
  return at - now > slackMilliseconds ? at - now : milliseconds
}
