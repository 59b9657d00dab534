import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { waitUntil } from './wait-until.ts'

/** Returns those of these environment variables that are set in this process. */
export function pickEnvironment(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
}

/** The variables of a run whose clock is moved, see `month-border.ts`. */
const clockVariables = ['FAKETIME', 'LD_PRELOAD', 'FAKETIME_DONT_FAKE_MONOTONIC', 'NO_FAKE_STAT', 'NODE_OPTIONS']

/** Variables that every program of the product gets: to start faster (see `vitest.config.ts`), and to share our clock. */
export const programVariables = ['NODE_COMPILE_CACHE', ...(process.env['FAKETIME'] === undefined ? [] : clockVariables)]

/** A process of the product, controlled from outside. */
export type ManagedProcess = {
  readonly name: string
  /** The process id; undefined while it is dead. Each start gives a new one. */
  pid(): number | undefined
  start(): Promise<void>
  /** `kill -9`. */
  kill(): Promise<void>
  /** SIGSTOP: the process does nothing, and keeps its locks and connections. */
  pause(): void
  resume(): void
  /** Sends SIGTERM, waits for the end, and returns the exit code. */
  terminate(): Promise<number | null>
  /** The text of its standard outputs, from all its starts. */
  log(): string
}

export type ProcessDescription = {
  readonly name: string
  /** The program of Node. Absent: that of this process. */
  readonly node?: string
  /** Node's options, the file, and the program's options. */
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly logFile: string
  /** Returns whether a started process serves. Some report it over their channel (`hasSaidSo`), others are asked. */
  readonly isReady: (child: ChildProcess, hasSaidSo: boolean) => Promise<boolean> | boolean
}

/**
 * A process that ends before it serves is started again within this time. The database may die at each start, on a slow machine
 * more often. So the time is limited, as by a supervisor, and not the number of starts.
 */
const startPatienceSeconds = 150

/**
 * The variables of our environment that the process gets: those that find programs, start them faster and move their
 * clock, none of the test runner's.
 */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'LANG', ...programVariables]

function isRunning(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null
}

/** Describes a process; only `start` runs it. */
export function manageProcess(description: ProcessDescription): ManagedProcess {
  const { name, logFile } = description
  let child: ChildProcess | undefined

  function spawnOnce(): ChildProcess {
    const log = openSync(logFile, 'a')
    try {
      return spawn(description.node ?? process.execPath, [...description.words], {
        // The channel closes when the tests are killed, and then the process ends too.
        stdio: ['ignore', log, log, 'ipc'],
        env: { ...pickEnvironment(inherited), ...description.environment },
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
    // A stopped process handles a signal other than SIGKILL only after SIGCONT.
    running.kill('SIGCONT')
    await ended
    return running.exitCode
  }

  /** Starts the process and waits until it serves or has ended. */
  async function startOnce(): Promise<ChildProcess> {
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
      // A process may end when its database was killed. It is started again, as by a supervisor.
      const startedAt = performance.now()
      for (let lives = 1; !isRunning(child); lives += 1) {
        const started = await startOnce()
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
