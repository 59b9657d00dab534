import { readFileSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from './wait-until.ts'

/** The embedded PostgreSQL of a DATA_DIR, seen from outside: its processes and its socket. */
export type DatabaseServer = {
  /** Where its socket is; the same after every restart. */
  socket(): Promise<{ folder: string; port: number; path: string }>
  /** `kill -9` of the server's main process; the processes of the product start it again. */
  kill(): Promise<void>
  /** `kill -9` of all its processes at once, as in a power failure, except that the disk's cache survives. */
  crash(): Promise<void>
  /** `kill -9` of one session, which makes the server end all others and recover. */
  killOneSession(pick: (sessions: readonly number[]) => number): Promise<void>
  /** SIGSTOP to one session, which keeps its transaction, its locks and its connection. */
  freezeOneSession(pick: (sessions: readonly number[]) => number): Promise<void>
  /** SIGSTOP to the first of these sessions that is seen in the middle of COMMIT. Returns it. */
  freezeInCommit(sessions: readonly number[]): Promise<number>
  /** Cancels what a session is doing, as an operator does who is tired of waiting (`pg_cancel_backend`). */
  cancel(session: number): void
  /** The sessions whose COMMIT waits for a standby. */
  listWaitingForStandby(): Promise<number[]>
  /** From now on every COMMIT waits for a standby that does not exist: synchronous replication has stopped. */
  stopReplication(): Promise<void>
  /** No COMMIT waits for a standby any more, also of those that are waiting. */
  resumeReplication(): Promise<void>
  /** SIGSTOP to the server and to all of its sessions. */
  pause(): Promise<void>
  /** SIGCONT to all that are paused. */
  resume(): Promise<void>
  /** Ends it at once, after everybody who would start it again is gone. */
  destroy(): Promise<void>
}

type LockFile = { pid: number; port: number; folder: string }

/** The role that the product's processes work as; it stands in the titles of their sessions. */
const applicationRole = 'makola_app'

/**
 * Reads the state and the parent of a process from /proc. The second field there, the name, is in parentheses and may
 * hold any character.
 */
async function readStat(pid: number): Promise<{ state: string; parent: number } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state && parent ? { state, parent: Number(parent) } : undefined
}

async function childrenOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(pids.map(readStat))
  return pids.filter((_, index) => stats[index]?.parent === pid)
}

/** What a session of the server says of itself in its title, such as `postgres: makola_app makola [local] COMMIT`. */
function readTitle(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', '').trim()
  } catch {
    return ''
  }
}

/** Between two looks at titles: a COMMIT takes a few milliseconds. */
const lookMilliseconds = 1

/** A zombie counts as dead. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readStat(pid)
  return stat !== undefined && stat.state !== 'Z'
}

/** Signals a process that may have ended in the meantime. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Describes the server; it is started by the product's own processes. */
export function openDatabaseServer(dataDir: string): DatabaseServer {
  const lockFile = join(dataDir, 'postgres', 'postmaster.pid')
  let last: LockFile | undefined
  const paused = new Set<number>()

  async function readLockFile(): Promise<LockFile> {
    const lines = (await readFile(lockFile, 'utf8')).split('\n')
    const found = { pid: Number(lines[0]), port: Number(lines[3]), folder: lines[4] ?? '' }
    if (!(found.pid > 0) || !found.folder.startsWith('/')) throw new Error('the lock file of the database is unfinished')
    last = found
    return found
  }

  /** The sessions of the product's processes. */
  async function listSessions(): Promise<number[]> {
    const { pid } = await readLockFile()
    return (await childrenOf(pid)).filter((child) => readTitle(child).includes(applicationRole))
  }

  /** Replaces the operator's own settings, and has the server read them. */
  async function configure(text: string): Promise<void> {
    await writeFile(join(dataDir, 'postgres', 'custom.conf'), text)
    signal((await readLockFile()).pid, 'SIGHUP')
  }

  async function everyProcess(): Promise<number[]> {
    const { pid } = await readLockFile()
    return [pid, ...(await childrenOf(pid))]
  }

  return {
    async socket() {
      const { folder, port } = await readLockFile()
      return { folder, port, path: join(folder, `.s.PGSQL.${port}`) }
    },
    async kill() {
      const found = await readLockFile().catch(() => undefined)
      if (found) signal(found.pid, 'SIGKILL')
    },
    async crash() {
      for (const pid of await everyProcess()) signal(pid, 'SIGKILL')
    },
    async killOneSession(pick) {
      const sessions = await listSessions()
      if (sessions.length > 0) signal(pick(sessions), 'SIGKILL')
    },
    async freezeOneSession(pick) {
      const sessions = await listSessions()
      if (sessions.length === 0) return
      const session = pick(sessions)
      paused.add(session)
      signal(session, 'SIGSTOP')
    },
    async freezeInCommit(sessions) {
      for (;;) {
        const found = sessions.find((session) => readTitle(session).endsWith('COMMIT'))
        if (found !== undefined) {
          paused.add(found)
          signal(found, 'SIGSTOP')
          // It may have ended its COMMIT between the look and the signal.
          if (readTitle(found).endsWith('COMMIT')) return found
          paused.delete(found)
          signal(found, 'SIGCONT')
        }
        await sleep(lookMilliseconds)
      }
    },
    cancel: (session) => signal(session, 'SIGINT'),
    async listWaitingForStandby() {
      const { pid } = await readLockFile()
      return (await childrenOf(pid)).filter((child) => readTitle(child).includes('COMMIT waiting for'))
    },
    stopReplication: () => configure("synchronous_standby_names = 'nobody'\n"),
    resumeReplication: () => configure(''),
    async pause() {
      const stop = (pid: number) => {
        paused.add(pid)
        signal(pid, 'SIGSTOP')
      }
      // The main process is stopped first, so that it cannot start a session that would be missed.
      const { pid } = await readLockFile()
      stop(pid)
      for (const session of await childrenOf(pid)) stop(session)
    },
    async resume() {
      // Also the processes whose main process was killed: paused, they could never end and would hold its memory.
      for (const pid of [...paused].toReversed()) signal(pid, 'SIGCONT')
      paused.clear()
    },
    async destroy() {
      const found = (await readLockFile().catch(() => undefined)) ?? last
      if (!found) return
      const processes = (await isAlive(found.pid)) ? [found.pid, ...(await childrenOf(found.pid))] : []
      // Immediate shut-down: nothing here is needed any more, and its shared memory is given back.
      for (const pid of processes.toReversed()) signal(pid, 'SIGCONT')
      if (processes.length > 0) signal(found.pid, 'SIGQUIT')
      await waitUntil('the database has ended', async () => {
        const alive = await Promise.all(processes.map(isAlive))
        return !alive.includes(true)
      })
      await rm(found.folder, { recursive: true, force: true })
    },
  }
}
