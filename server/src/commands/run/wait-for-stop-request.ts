import { constants } from 'node:os'
import process from 'node:process'
import { isRunByNpm } from '../../config.ts'

/**
 * One Ctrl-C may reach a process several times: from its terminal, from npm and from other parents. Signals within this time
 * count as one.
 */
const sameSignalMilliseconds = 500

/** A process that npm started checks this often whether npm still runs. */
const pollMilliseconds = 500

export const parentIsGone = 'the parent process is gone'

/**
 * Resolves with the reason when this process is asked to stop: a signal arrived, or the `makola start` or npm process that
 * started it has ended. A second signal, half a second or more after the first, ends the process at once, which loses nothing
 * that was acknowledged.
 * @param signals the signals that ask to stop
 */
export function waitForStopRequest(signals: readonly NodeJS.Signals[]): Promise<string> {
  let firstAt: number | undefined
  return new Promise((resolve) => {
    for (const signal of signals) {
      process.on(signal, () => {
        firstAt ??= performance.now()
        if (performance.now() - firstAt >= sameSignalMilliseconds) process.exit(128 + constants.signals[signal])
        resolve(signal)
      })
    }
    if (process.channel !== undefined) process.on('disconnect', () => resolve(parentIsGone))
    else if (isRunByNpm()) onParentGone(() => resolve(parentIsGone))
  })
}

/** npm sends no signal when it is killed, but the processes that it started get another parent. */
function onParentGone(then: () => void): void {
  const parent = process.ppid
  const checking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(checking)
    then()
  }, pollMilliseconds).unref()
}
