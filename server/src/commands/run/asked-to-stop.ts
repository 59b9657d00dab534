import { constants } from 'node:os'
import process from 'node:process'
import { isRunByNpm } from '../../config.ts'

/** Ctrl-C reaches a process from its terminal, and again from npm and from whoever else passes it on: together they are one wish. */
const oneWishMilliseconds = 500

/** How often a process that npm runs looks whether npm is still there. */
const lookMilliseconds = 500

export const parentIsGone = 'the parent process is gone'

/**
 * Resolves with the reason when this process is asked to stop: by a signal, or because the process that
 * started it is gone. A second signal, half a second or more after the first, ends the process at once,
 * whatever it hangs in: nothing that was acknowledged depends on an orderly end.
 *
 * @param signals those that ask to stop
 */
export function askedToStop(signals: readonly NodeJS.Signals[]): Promise<string> {
  let firstAt: number | undefined
  return new Promise((resolve) => {
    for (const signal of signals) {
      process.on(signal, () => {
        firstAt ??= performance.now()
        if (performance.now() - firstAt >= oneWishMilliseconds) process.exit(128 + constants.signals[signal])
        resolve(signal)
      })
    }
    if (process.channel !== undefined) process.on('disconnect', () => resolve(parentIsGone))
    else if (isRunByNpm()) onParentGone(() => resolve(parentIsGone))
  })
}

/** A killed npm tells nobody; what it ran gets another parent. */
function onParentGone(then: () => void): void {
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    then()
  }, lookMilliseconds).unref()
}
