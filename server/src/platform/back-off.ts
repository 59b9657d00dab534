import { setTimeout as sleep } from 'node:timers/promises'

/** The pauses between tries while something keeps failing. `first`, `most` and the result have the same unit of time. */
export type BackOff = {
  readonly first: number
  readonly most: number
  /** Each pause is this many times as long as the one before. Left out: 2. */
  readonly factor?: number
  /**
   * The part of a pause by which it is made shorter or longer at random, so that processes which failed together do not all
   * try again together. Left out: 0.
   */
  readonly spread?: number
}

/** The pause after this many failures in a row, counted from 0. It grows from `first` to `most`. */
export function backOff(failures: number, { first, most, factor = 2, spread = 0 }: BackOff): number {
  return Math.min(most, first * factor ** failures) * (1 + spread * (2 * Math.random() - 1))
}

/**
 * Does the work. While it fails, tries again after each of these pauses.
 * @param onFailure called for each failure that is followed by another try
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
