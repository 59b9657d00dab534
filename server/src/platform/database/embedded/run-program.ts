import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServerUser } from './server-user.ts'

export type ProgramResult = { exitCode: number; output: string }

type Surroundings = { workingFolder: string; user: ServerUser | undefined }

/**
 * It has a session of its own, so that Ctrl-C on our terminal does not reach it, and an environment of its own, so that
 * PGDATA or PGOPTIONS of ours cannot mislead it.
 */
function spawnOptions({ workingFolder, user }: Surroundings) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return { cwd: workingFolder, env, detached: true, ...user }
}

/** Runs one of PostgreSQL's programs until it ends. */
export function runProgram(file: string, words: readonly string[], surroundings: Surroundings): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, { ...spawnOptions(surroundings), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (exitCode) => resolve({ exitCode: exitCode ?? -1, output: output.trim() }))
  })
}

/** A server is ready within a tenth of a second as a rule, and everything else waits for it. */
const lookMilliseconds = 10

type Daemon = Surroundings & {
  /** What the program writes is added to this file. */
  logFile: string
  isReady: (pid: number) => Promise<boolean>
  timeoutSeconds: number
}

/**
 * Starts a program that goes on running when this process ends, and waits until it is ready.
 * @returns false when it has ended before, or was not ready in time
 */
export async function startDaemon(file: string, words: readonly string[], daemon: Daemon): Promise<boolean> {
  const log = await open(daemon.logFile, 'a', 0o600)
  try {
    if (daemon.user) await log.chown(daemon.user.uid, daemon.user.gid)
    const child = spawn(file, words, { ...spawnOptions(daemon), stdio: ['ignore', log.fd, log.fd] })
    child.unref()
    await once(child, 'spawn')
    const startedAt = performance.now()
    const isRunning = () => child.exitCode === null && child.signalCode === null
    while (isRunning() && performance.now() - startedAt < daemon.timeoutSeconds * 1_000) {
      if (child.pid !== undefined && (await daemon.isReady(child.pid))) return true
      await delay(lookMilliseconds)
    }
    return false
  } finally {
    await log.close()
  }
}
