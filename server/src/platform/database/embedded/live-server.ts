import { execFile } from 'node:child_process'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * A running server, from its `postmaster.pid` (PostgreSQL, "Server Programs", lock file). A server that starts, recovers or
 * stops is not ready.
 */
export type LiveServer = { pid: number; socketFolder: string; port: number; isReady: boolean }

async function readLockFile(folder: string): Promise<{ text: string; server: LiveServer } | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES')
      throw new Error(`${folder} belongs to another user; run this command as the user who runs Makola.`)
    return undefined
  })
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const server = {
    pid: Math.abs(Number(lines[0])),
    socketFolder: lines[4] ?? '',
    port: Number(lines[3] ?? 5432),
    isReady: ['ready', 'standby'].includes(lines[7]?.trim() ?? ''),
  }
  return { text, server }
}

export async function readFormerLock(folder: string): Promise<string | undefined> {
  return (await readLockFile(folder))?.text
}

/**
 * True when the lock file of the server with this process id shows that it accepts connections. `formerLock` is the lock
 * file before that server was started: in a new container, a new server often has the process id of the one that was
 * killed.
 */
export async function isServerReady(folder: string, pid: number, formerLock: string | undefined): Promise<boolean> {
  const lock = await readLockFile(folder)
  return lock?.server.pid === pid && lock.server.isReady && lock.text !== formerLock
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The command line or the title of a process; empty when it has ended. */
export async function commandLineOf(pid: number): Promise<string> {
  const fromKernel = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  if (fromKernel !== undefined) return fromKernel
  const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'args=']).catch(() => ({ stdout: '' }))
  return stdout
}

/** Recognises a server's process by `clusterName` on the command line: after a crash, another process may have its id. */
async function isRunning({ pid }: LiveServer, clusterName: string): Promise<boolean> {
  return isAlive(pid) && (await commandLineOf(pid)).includes(clusterName)
}

export async function findLiveServer(folder: string, clusterName: string): Promise<LiveServer | undefined> {
  const lock = await readLockFile(folder)
  return lock && (await isRunning(lock.server, clusterName)) ? lock.server : undefined
}

const endLookMilliseconds = 50

/** Signals a process that may have just ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Ends a server by a "fast shutdown" (PostgreSQL's manual, "Shutting Down the Server"), which ends its sessions first. Waits
 * until the server has ended.
 * @returns false when the server still runs after `timeoutSeconds`
 */
export async function endServer(server: LiveServer, clusterName: string, timeoutSeconds: number): Promise<boolean> {
  const startedAt = performance.now()
  if (await isRunning(server, clusterName)) signalProcess(server.pid, 'SIGINT')
  while (await isRunning(server, clusterName)) {
    if (performance.now() - startedAt > timeoutSeconds * 1_000) return false
    await delay(endLookMilliseconds)
  }
  return true
}

/**
 * Removes the lock files of a dead server when another process has its process id now; PostgreSQL itself removes them only
 * when that id is free. The file is checked again after it was moved away, and put back if another start has just written
 * it. Call it under the start lock.
 */
export async function removeStaleLock(folder: string, clusterName: string): Promise<void> {
  const lock = await readLockFile(folder)
  if (!lock || !isAlive(lock.server.pid) || (await findLiveServer(folder, clusterName))) return
  const aside = join(folder, `postmaster.pid.${process.pid}`)
  await rename(join(folder, 'postmaster.pid'), aside).catch(() => undefined)
  const moved = await readFile(aside, 'utf8').catch(() => undefined)
  if (moved === undefined) return
  if (moved !== lock.text) return rename(aside, join(folder, 'postmaster.pid'))
  await rm(aside)
  // PostgreSQL removes the old socket itself once it holds the lock file of the socket.
  const { socketFolder, port } = lock.server
  if (socketFolder !== '') await rm(join(socketFolder, `.s.PGSQL.${port}.lock`), { force: true })
}
