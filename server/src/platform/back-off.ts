import { setTimeout as sleep } from 'node:timers/promises'

/** How pauses grow while something goes on failing. First and most are of one unit, and so is the answer. */
export type BackOff = {
  readonly first: number
  readonly most: number
  /** How many times longer each pause is than the last: 2 unless it is said. */
  readonly factor?: number
  /**
   * By which part of itself a pause may be shorter or longer by chance, so that those who failed together do not
   * all come back together: 0 unless it is said.
   */
  readonly spread?: number
}

/** The pause after so many failures in a row, counted from 0: the first, then ever longer ones up to the most. */
export function backOff(failures: number, { first, most, factor = 2, spread = 0 }: BackOff): number {
  return Math.min(most, first * factor ** failures) * (1 + spread * (2 * Math.random() - 1))
}

/**
 * Does the work, and after each of these pauses again as long as it fails.
 *
 * @param onFailure told of every failure that is followed by another try
 * @throws the last failure
 */
export async function tryPatiently<T>(
  pausesSeconds: readonly number[],
  work: () => Promise<T>,
  onFailure: (error: unknown) => void = () => undefined,
): Promise<T> {
  for (const seconds of pausesSeconds) {
    try {
      return await work()
    } catch (error) {
      onFailure(error)
      await sleep(seconds * 1_000)
    }
  }
  return work()
}
