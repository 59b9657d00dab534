import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type BackOff, backOff } from '../../../platform/back-off.ts'
import { shutdownSeconds } from '../../../platform/shutdown-seconds.ts'
import type { BeginMessage } from '../wait-for-begin.ts'
import { spawnProgram } from './spawn-program.ts'

export type SupervisedProcess = {
  /** Resolves once the process serves for the first time; rejects when it ends before. */
  readonly ready: Promise<void>
  /** Stops the process and starts it again, for `--watch`. */
  restart(): Promise<void>
  /**
   * Asks the process to stop, waits, and kills it if it takes too long. The default wait is longer than a process needs to stop
   * by itself.
   */
  stop(patienceMilliseconds?: number): Promise<void>
}

export type ProcessDescription = {
  name: string
  words: string[]
  environment: NodeJS.ProcessEnv
  /** The nice value, up to 19: a process with a higher value gets less of a busy processor. */
  niceness?: number
  /** Resolves when the process may begin; without it, the process begins at once. */
  mayBegin?: Promise<void>
  /** Resolves when this process serves. Stays unresolved if it never does. */
  waitUntilReady(child: ChildProcess): Promise<void>
}

/**
 * The pauses, in milliseconds, before a crashed process is started again. They grow with each crash, and start small again after
 * the process has run for a while.
 */
const pauses: BackOff = { first: 200, most: 10_000 }
const forgivenAfterMilliseconds = 30_000

function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
}

async function stopChild(
  child: ChildProcess,
  log: Logger,
  name: string,
  patienceMilliseconds = shutdownSeconds.parent * 1_000,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const end = ended(child)
  child.kill('SIGTERM')
  const timer = setTimeout(() => {
    log.warn({ process: name }, 'a process did not stop in time and is killed')
    child.kill('SIGKILL')
  }, patienceMilliseconds)
  await end
  clearTimeout(timer)
}

/** Starts the process, and sends it the message to begin as soon as it may. */
function spawnDescribed({ words, environment, niceness, mayBegin }: ProcessDescription): ChildProcess {
  const child = spawnProgram(words, environment)
  if (niceness !== undefined && child.pid !== undefined) setPriority(child.pid, niceness)
  const begin: BeginMessage = { kind: 'begin' }
  void mayBegin?.then(() => child.connected && child.send(begin, () => undefined))
  return child
}

/** Starts a process. Once it has served, starts it again after each crash, with back-off, until `stop`. */
export function superviseProcess(description: ProcessDescription, log: Logger): SupervisedProcess {
  const { name } = description
  const stopping = new AbortController()
  let isReplacing = false
  let crashes = 0
  let child = spawnDescribed(description)
  const firstEnd = ended(child)

  async function keepRunning(): Promise<void> {
    let end = firstEnd
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      const reason = await end
      if (stopping.signal.aborted) return
      if (!isReplacing) {
        if (performance.now() - startedAt > forgivenAfterMilliseconds) crashes = 0
        const pauseMilliseconds = backOff(crashes, pauses)
        log.error({ process: name, reason, pauseMilliseconds }, 'a process ended unexpectedly and is started again')
        await delay(pauseMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined)
        crashes += 1
        if (stopping.signal.aborted) return
      }
      isReplacing = false
      child = spawnDescribed(description)
      end = ended(child)
    }
  }

  const firstReady = description.waitUntilReady(child)
  const ready = Promise.race([
    firstReady,
    firstEnd.then((reason) => {
      throw new Error(`The ${name} ended before it was ready (${reason}); see its message above.`)
    }),
  ])
  ready.then(keepRunning, () => undefined)

  return {
    ready,
    restart: async () => {
      isReplacing = true
      await stopChild(child, log, name)
    },
    stop: async (patienceMilliseconds) => {
      stopping.abort()
      await stopChild(child, log, name, patienceMilliseconds)
    },
  }
}
