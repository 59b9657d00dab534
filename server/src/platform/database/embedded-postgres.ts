import { mkdir, realpath, rmdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { classifyDatabaseError } from './database-errors.ts'
import { databaseName, ownerRole, writeClusterSettings } from './embedded/cluster-settings.ts'
import { findBinaries } from './embedded/find-binaries.ts'
import { folderAsSeenBy, initializeCluster, requireCluster } from './embedded/initialize-cluster.ts'
import { leaseServer, type ServerLease } from './embedded/lease-server.ts'
import {
  endServer,
  findLiveServer,
  isServerReady,
  type LiveServer,
  readFormerLock,
  removeStaleLock,
} from './embedded/live-server.ts'
import { runProgram, startDaemon } from './embedded/run-program.ts'
import { chooseServerUser, type ServerUser } from './embedded/server-user.ts'
import { clusterNameOf, makeSocketFolder } from './embedded/socket-folder.ts'
import { applicationRole } from './migrate.ts'

/** Where the database is reached: as the tables' owner, and as the role that processes work as. */
export type DatabaseUrls = { ownerUrl: string; applicationUrl: string }

export type EmbeddedPostgres = DatabaseUrls & {
  /** Ends this process's use of the server. The last process that uses it stops it. Committed work is safe in any case. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  log: Pick<Logger, 'info' | 'warn'>
  /** The folder of other PostgreSQL programs, to run the tests on an older version. */
  binaries?: string
  /** Server settings that come before those of the data folder, for tests. */
  settings?: Record<string, string>
}

/**
 * How long a start is tried again while an old server is stopping, or while the shared memory of a killed one is not
 * free yet.
 */
const startPatienceMilliseconds = 20_000

/** Recovery after a crash can take minutes on a slow disk; giving up earlier would start a second recovery. */
const timeoutSeconds = 600
const stopTimeoutSeconds = 60
const retryMilliseconds = 100
const restartPauseMilliseconds = 1_000

type Cluster = {
  folder: string
  clusterName: string
  binaries: string
  user: ServerUser | undefined
  /** For the server's command line. */
  settings: Record<string, string>
  /** Whether a missing folder is made. A folder that goes missing later is lost, or its disk is. */
  mayBeMade: boolean
}

function urlsOf(server: LiveServer): DatabaseUrls {
  const url = (role: string) =>
    `postgresql://${role}@localhost:${server.port}/${databaseName}?host=${encodeURIComponent(server.socketFolder)}`
  return { ownerUrl: url(ownerRole), applicationUrl: url(applicationRole) }
}

/** The real path of the data folder, so that two paths to one folder are one database. */
async function realFolder(dataDir: string): Promise<string> {
  return join(await realpath(dataDir).catch(() => resolve(dataDir)), 'postgres')
}

async function prepareCluster(options: EmbeddedPostgresOptions): Promise<Cluster> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const folder = await realFolder(options.dataDir)
  const user = await chooseServerUser(folder)
  const binaries = options.binaries ?? (await findBinaries(user))
  const clusterName = clusterNameOf(folder)
  return { folder, clusterName, binaries, user, settings: { cluster_name: clusterName, ...options.settings }, mayBeMade: true }
}

/** Starts the server, in a folder that is made if it is missing and may be made, and waits until it takes connections. */
async function startServer(cluster: Cluster): Promise<void> {
  const { folder, clusterName, binaries, user, settings, mayBeMade } = cluster
  await (mayBeMade ? initializeCluster(folder, binaries, user) : requireCluster(folder))
  await removeStaleLock(folder, clusterName)
  const socketFolder = await makeSocketFolder(clusterName, user)
  await writeClusterSettings(folder, socketFolder)
  const logFile = 'start.log'
  const words = [
    '-D',
    await folderAsSeenBy(user, folder),
    ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
  ]
  const formerLock = await readFormerLock(folder)
  const isReady = (pid: number) => isServerReady(folder, pid, formerLock)
  const daemon = { workingFolder: folder, user, logFile, isReady, timeoutSeconds }
  const started = await startDaemon(join(binaries, 'postgres'), words, daemon)
  if (started === 'ready') return
  await rmdir(socketFolder).catch(() => undefined)
  const { output } = await runProgram('tail', ['-n', '3', logFile], { workingFolder: folder, user })
  const what = started === 'killed' ? 'PostgreSQL was killed while it started' : 'PostgreSQL did not start'
  throw new Error(`${what}: ${output.split('\n').join(' | ')}`)
}

type Held = { server: LiveServer; lease: ServerLease }

async function leaseLiveServer(cluster: Cluster, onLost: () => void): Promise<Held> {
  let server = await findLiveServer(cluster.folder, cluster.clusterName)
  if (!server) {
    const failure = await startServer(cluster).catch((error: unknown) => error)
    server = await findLiveServer(cluster.folder, cluster.clusterName)
    // If another start was quicker, its server runs now, and `start.log` tells of that server.
    if (!server && failure !== undefined) throw failure
  }
  if (!server) throw new Error('PostgreSQL started and went away again')
  return { server, lease: await leaseServer(server, onLost) }
}

/**
 * Whether a start may succeed if it is tried again: another start or stop, or the remains of a killed server, are over
 * in a moment. A wrong setting or a full disk is not.
 */
function isPassing(error: unknown): boolean {
  if (classifyDatabaseError(error) === 'connection_lost') return true
  if (!(error instanceof Error) || /no space left on device/i.test(error.message)) return false
  return /pre-existing shared memory|lock file|went away again|was killed while it started/.test(error.message)
}

async function holdServer(cluster: Cluster, onLost: () => void): Promise<Held> {
  const startedAt = performance.now()
  for (;;) {
    try {
      return await leaseLiveServer(cluster, onLost)
    } catch (error) {
      if (!isPassing(error) || performance.now() - startedAt > startPatienceMilliseconds) throw error
      await delay(retryMilliseconds)
    }
  }
}

/**
 * Stops this one server. Others may start a new one in its folder at once, as they do when the server is lost and this
 * process had a lease of it before they had; that one is theirs, and is not waited for.
 */
async function stopServer({ clusterName }: Cluster, server: LiveServer, log: EmbeddedPostgresOptions['log']): Promise<void> {
  if (!(await endServer(server, clusterName, stopTimeoutSeconds))) {
    log.warn({ pid: server.pid }, 'PostgreSQL did not stop in time; what is committed is safe')
    return
  }
  // The next start makes the folder again. A folder that is in use is not empty, so it cannot be removed here.
  await rmdir(server.socketFolder).catch(() => undefined)
}

/**
 * Starts the embedded PostgreSQL of a DATA_DIR, or uses the one that already runs there. If the server ends, it is
 * started again at the same address. It also starts after a `kill -9` of everything: with old lock files (even when
 * another process has their process id now), an old socket, and shared memory that is not free yet.
 * @throws with PostgreSQL's own words when the server does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options
  const cluster = await prepareCluster(options)
  const stopping = new AbortController()
  let restart: Promise<void> = Promise.resolve()
  const onLost = () => {
    if (stopping.signal.aborted) return
    log.warn({ folder: cluster.folder }, 'the database server went away; starting it again')
    restart = holdAgain()
  }
  async function holdAgain(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        held = await holdServer({ ...cluster, mayBeMade: false }, onLost)
        log.info({ folder: cluster.folder }, 'the database server is back')
        return
      } catch (error) {
        log.warn({ err: error }, 'the database server does not start; trying again')
        await delay(restartPauseMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }
  let held = await holdServer(cluster, onLost)
  log.info({ folder: cluster.folder }, 'the database server is ready')
  return {
    ...urlsOf(held.server),
    stop: async () => {
      stopping.abort()
      await restart
      // A server that has ended already need not be stopped.
      const isLast = await held.lease.release().catch(() => false)
      if (isLast) await stopServer(cluster, held.server, log)
      await held.lease.end()
    },
  }
}

/**
 * The running embedded server of a DATA_DIR, or undefined. This does not keep the server running; a process that needs
 * it for long starts it instead.
 */
export async function findEmbeddedPostgres(dataDir: string): Promise<DatabaseUrls | undefined> {
  const folder = await realFolder(dataDir)
  const server = await findLiveServer(folder, clusterNameOf(folder))
  return server && urlsOf(server)
}
