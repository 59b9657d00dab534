/** A timer may fire this much too early and still counts to the moment that it waited for. */
const slackMilliseconds = 10

/** The whole second that has begun. A timer that fires a little too early counts to the second that it waited for. */
export const lastSharedSecond = () => Math.floor((performance.now() + slackMilliseconds) / 1_000) * 1_000

/**
 * Changes a wait a little, so that it ends together with other waits of this process: at a whole second, or at half a second
 * where less than a second is asked for. So a resting process wakes twice a second for all its loops, instead of once for each.
 * No wait gets longer by more than the slack; one that is too short for this is not changed.
 */
export function untilSharedTick(milliseconds: number): number {
  const now = performance.now()
  const tick = milliseconds < 1_000 ? 500 : 1_000
  const at = Math.floor((now + milliseconds + slackMilliseconds) / tick) * tick
  return at - now > slackMilliseconds ? at - now : milliseconds
}
