import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServerUser } from './server-user.ts'

export type ProgramResult = { exitCode: number; output: string }

export type ProgramEnvironment = { workingFolder: string; user: ServerUser | undefined }

/**
 * Starts the program in a new session, so that Ctrl-C on our terminal does not reach it, and with a new environment, so
 * that our PGDATA or PGOPTIONS cannot mislead it.
 */
function spawnOptions({ workingFolder, user }: ProgramEnvironment) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return { cwd: workingFolder, env, detached: true, ...user }
}

/** Runs a program until it ends. `output` is its standard output and errors; `exitCode` is -1 when a signal ended it. */
export function runProgram(file: string, words: readonly string[], surroundings: ProgramEnvironment): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, { ...spawnOptions(surroundings), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (exitCode) => resolve({ exitCode: exitCode ?? -1, output: output.trim() }))
  })
}

/** The pause between two checks. A server is usually ready within 0.1 s, and everything else waits for it. */
const lookMilliseconds = 10

type Daemon = ProgramEnvironment & {
  /** The program's output is added to this file of its working folder. */
  logFile: string
  isReady: (pid: number) => Promise<boolean>
  timeoutSeconds: number
}

/**
 * The program's own user opens the log, as with `pg_ctl`: the folder is that user's, and a link under the log's name could
 * lead root to any file.
 */
const openLogAndRun = 'umask 077; log=$1; shift; exec "$@" >>"$log" 2>&1'

/** `killed`: a signal from outside ended it, so another try may succeed. */
export type DaemonStart = 'ready' | 'killed' | 'failed'

/**
 * Starts a program that goes on running when this process ends, and waits until it is ready or has ended, for at most
 * `timeoutSeconds`. After that time it returns `failed`, but does not stop the program.
 */
export async function startDaemon(file: string, words: readonly string[], daemon: Daemon): Promise<DaemonStart> {
  const shellWords = ['-c', openLogAndRun, 'sh', daemon.logFile, file, ...words]
  const child = spawn('/bin/sh', shellWords, { ...spawnOptions(daemon), stdio: 'ignore' })
  child.unref()
  await once(child, 'spawn')
  const startedAt = performance.now()
  const isRunning = () => child.exitCode === null && child.signalCode === null
  while (isRunning() && performance.now() - startedAt < daemon.timeoutSeconds * 1_000) {
    if (child.pid !== undefined && (await daemon.isReady(child.pid))) return 'ready'
    await delay(lookMilliseconds)
  }
  return child.signalCode === null ? 'failed' : 'killed'
}
