import { readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, isAlive, signal } from './processes.ts'
import { waitUntil } from './wait-until.ts'

/** The embedded PostgreSQL of a DATA_DIR, seen from outside: its processes and its socket. */
export type DatabaseServer = {
  /** Place of the database's socket, the same after every restart. */
  socket(): Promise<{ folder: string; port: number; path: string }>
  /** `kill -9` of the server's main process. The product's processes start it again. */
  kill(): Promise<void>
  /** `kill -9` of all its processes at once, as in a power failure, except that the disk's cache survives. */
  crash(): Promise<void>
  /** `kill -9` of one session, which makes the server end all others and recover. */
  killOneSession(pick: (sessions: readonly number[]) => number): Promise<void>
  /** SIGSTOP to one session, which keeps its transaction, its locks and its connection. */
  freezeOneSession(pick: (sessions: readonly number[]) => number): Promise<void>
  /**
   * Waits until one of these sessions executes COMMIT, or a call that commits by itself (its process title then says
   * SELECT). Stops that session's process with SIGSTOP and returns its process id. A session for which `isCommitting`
   * returns false runs on.
   */
  freezeInCommit(sessions: readonly number[], isCommitting: (session: number) => Promise<boolean>): Promise<number>
  /** Cancels a session's statement, as an impatient operator does (`pg_cancel_backend`). */
  cancel(session: number): void
  /** The sessions whose commit waits for a standby. */
  listWaitingForStandby(): Promise<number[]>
  /** From now on every COMMIT waits for a standby that does not exist, as when synchronous replication has stopped. */
  stopReplication(): Promise<void>
  /** From now on no COMMIT waits for a standby. Waiting commits go on. */
  resumeReplication(): Promise<void>
  /** SIGSTOP to the server and to all of its sessions. */
  pause(): Promise<void>
  /** SIGCONT to all paused processes. */
  resume(): Promise<void>
  /** Ends the server at once. Call it after the processes that would start it again have ended. */
  destroy(): Promise<void>
}

type LockFile = { pid: number; port: number; folder: string }

/** The role of the product's processes, which the titles of their sessions contain. */
const applicationRole = 'makola_app'

/** A session's title, such as `postgres: makola_app makola [local] COMMIT`. */
function readTitle(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', '').trim()
  } catch {
    return ''
  }
}

/** Pause between two checks of the sessions' titles, short because a COMMIT takes only a few milliseconds. */
const pollMilliseconds = 1

/** Finds the server's processes by its lock file and /proc. */
function findProcesses(dataDir: string) {
  const lockFile = join(dataDir, 'postgres', 'postmaster.pid')
  let last: LockFile | undefined

  async function readLockFile(): Promise<LockFile> {
    const lines = (await readFile(lockFile, 'utf8')).split('\n')
    const found = { pid: Number(lines[0]), port: Number(lines[3]), folder: lines[4] ?? '' }
    if (!(found.pid > 0) || !found.folder.startsWith('/')) throw new Error('the lock file of the database is unfinished')
    last = found
    return found
  }

  const listChildren = async () => childrenOf((await readLockFile()).pid)
  return {
    readLockFile,
    /** The newest lock file that could be read; undefined when there never was one. */
    readLastLockFile: async () => (await readLockFile().catch(() => undefined)) ?? last,
    listChildren,
    /** The sessions of the product's processes. */
    listSessions: async () => (await listChildren()).filter((child) => readTitle(child).includes(applicationRole)),
  }
}

/** Keeps the processes that SIGSTOP has stopped. */
function createFreezer() {
  const frozen = new Set<number>()
  return {
    freeze(pid: number): void {
      frozen.add(pid)
      signal(pid, 'SIGSTOP')
    },
    thaw(pid: number): void {
      frozen.delete(pid)
      signal(pid, 'SIGCONT')
    },
    /**
     * Resumes also processes whose main process was killed. Stopped, they could never end, and would keep the server's
     * shared memory.
     */
    thawAll(): void {
      for (const pid of [...frozen].toReversed()) signal(pid, 'SIGCONT')
      frozen.clear()
    },
  }
}

/** Shuts a server down at once, without care for its data, and frees its shared memory. */
async function endServer({ pid, folder }: LockFile): Promise<void> {
  const processes = (await isAlive(pid)) ? [pid, ...(await childrenOf(pid))] : []
  for (const each of processes.toReversed()) signal(each, 'SIGCONT')
  if (processes.length > 0) signal(pid, 'SIGQUIT')
  await waitUntil('the database has ended', async () => {
    const alive = await Promise.all(processes.map(isAlive))
    return !alive.includes(true)
  })
  await rm(folder, { recursive: true, force: true })
}

/** Describes the server. The product's own processes start it. */
export function openDatabaseServer(dataDir: string): DatabaseServer {
  const { readLockFile, readLastLockFile, listChildren, listSessions } = findProcesses(dataDir)
  const freezer = createFreezer()

  /** Replaces the operator's settings and has the server read them. */
  async function configure(text: string): Promise<void> {
    await writeFile(join(dataDir, 'postgres', 'custom.conf'), text)
    signal((await readLockFile()).pid, 'SIGHUP')
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
      const { pid } = await readLockFile()
      for (const each of [pid, ...(await childrenOf(pid))]) signal(each, 'SIGKILL')
    },
    async killOneSession(pick) {
      const sessions = await listSessions()
      if (sessions.length > 0) signal(pick(sessions), 'SIGKILL')
    },
    async freezeOneSession(pick) {
      const sessions = await listSessions()
      if (sessions.length > 0) freezer.freeze(pick(sessions))
    },
    async freezeInCommit(sessions, isCommitting) {
      const canCommit = (session: number) => /(COMMIT|SELECT)$/.test(readTitle(session))
      for (;;) {
        const found = sessions.find(canCommit)
        if (found !== undefined) {
          freezer.freeze(found)
          // The session may have finished its COMMIT before the signal, so its title is read once more.
          if (canCommit(found) && (await isCommitting(found))) return found
          freezer.thaw(found)
        }
        await sleep(pollMilliseconds)
      }
    },
    cancel: (session) => signal(session, 'SIGINT'),
    listWaitingForStandby: async () =>
      (await listChildren()).filter((child) => /(COMMIT|SELECT) waiting for/.test(readTitle(child))),
    stopReplication: () => configure("synchronous_standby_names = 'nobody'\n"),
    resumeReplication: () => configure(''),
    async pause() {
      // Stops the main process first, so that it cannot start another session.
      const { pid } = await readLockFile()
      freezer.freeze(pid)
      for (const session of await childrenOf(pid)) freezer.freeze(session)
    },
    resume: () => Promise.resolve(freezer.thawAll()),
    async destroy() {
      const found = await readLastLockFile()
      if (found) await endServer(found)
    },
  }
}
