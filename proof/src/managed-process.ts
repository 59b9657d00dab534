import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { forFastStarts, passOn } from './pass-on.ts'
import { waitUntil } from './wait-until.ts'

/** A process of the product, and what can be done to it from outside. */
export type ManagedProcess = {
  readonly name: string
  /** The process id; undefined while it is dead. A new start has a new id. */
  pid(): number | undefined
  start(): Promise<void>
  /** `kill -9`. */
  kill(): Promise<void>
  /** Pauses the process with SIGSTOP: it does nothing, and keeps its locks and connections. */
  pause(): void
  /** SIGCONT. */
  resume(): void
  /** SIGTERM, and waits for its end. Returns the exit code. */
  terminate(): Promise<number | null>
  /** What the process wrote on its standard outputs, before and after restarts. */
  log(): string
}

export type ProcessDescription = {
  readonly name: string
  /** The words for Node: its options, the file, and the options of the program. */
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly logFile: string
  /**
   * Whether a process that was just started serves now. Some processes say so over their channel (`hasSaidSo`), others
   * are asked.
   */
  readonly isReady: (child: ChildProcess, hasSaidSo: boolean) => Promise<boolean> | boolean
}

/**
 * How long a process is started again when it ends before it serves. It may meet the database's next death each time, and
 * how often that happens depends on how fast the machine is; so it is the time that is limited, as with a supervisor.
 */
const startPatienceSeconds = 150

/**
 * The variables of our own environment that the process gets: those that find programs and start them faster, and none of the
 * test runner's.
 */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'LANG', ...forFastStarts] as const

function isRunning(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null
}

/** Describes a process; nothing runs before `start`. */
export function manageProcess(description: ProcessDescription): ManagedProcess {
  const { name, logFile } = description
  let child: ChildProcess | undefined

  function spawnOnce(): ChildProcess {
    const log = openSync(logFile, 'a')
    try {
      return spawn(process.execPath, [...description.words], {
        // The channel of the process closes when the tests are killed, and the process ends too.
        stdio: ['ignore', log, log, 'ipc'],
        env: { ...passOn(inherited), ...description.environment },
      })
    } finally {
      closeSync(log)
    }
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const running = child
    if (!running || !isRunning(running)) return running?.exitCode ?? null
    const ended = once(running, 'exit')
    running.kill(signal)
    // A paused process takes no signal but SIGKILL.
    running.kill('SIGCONT')
    await ended
    return running.exitCode
  }

  /** Starts it and waits until it serves, or has ended. */
  async function live(): Promise<ChildProcess> {
    const started = spawnOnce()
    child = started
    let hasSaidSo = false
    started.on('message', () => (hasSaidSo = true))
    await waitUntil(`${name} serves`, () => !isRunning(started) || description.isReady(started, hasSaidSo))
    return started
  }

  return {
    name,
    pid: () => (isRunning(child) ? child?.pid : undefined),
    async start() {
      // The process may find the database being killed, and end. It is started again, as a supervisor would do.
      const startedAt = performance.now()
      for (let lives = 1; !isRunning(child); lives += 1) {
        const started = await live()
        if (isRunning(started) || started.signalCode !== null) return
        if (performance.now() - startedAt > startPatienceSeconds * 1_000) {
          throw new Error(
            `${name} ended by itself ${lives} times in ${startPatienceSeconds} s instead of serving; see ${logFile}`,
          )
        }
      }
    },
    async kill() {
      await end('SIGKILL')
    },
    pause: () => void (isRunning(child) && child?.kill('SIGSTOP')),
    resume: () => void (isRunning(child) && child?.kill('SIGCONT')),
    terminate: () => end('SIGTERM'),
    log: () => readFileSync(logFile, 'utf8'),
  }
}
