import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { classifyDatabaseError } from './database-errors.ts'
import { databaseName, ownerRole, writeClusterSettings } from './embedded/cluster-settings.ts'
import { endRemainingProcesses } from './embedded/end-remaining-processes.ts'
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
import { readStartFailure } from './embedded/read-start-failure.ts'
import { startDaemon } from './embedded/run-program.ts'
import { chooseServerUser, type ServerUser } from './embedded/server-user.ts'
import { clusterFolderOf, clusterNameOf, makeSocketFolder } from './embedded/socket-folder.ts'
import { takeStartLock } from './embedded/start-lock.ts'
import { applicationRole } from './migrate.ts'

/** The addresses for the tables' owner, and for the role that processes work as. */
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
  /** Server settings that override those of the data folder, for tests. */
  settings?: Record<string, string>
}

/**
 * A start is tried again for this long while an old server is stopping, or while the shared memory of a killed one is not
 * free yet.
 */
const startPatienceMilliseconds = 20_000

/** The time for the sessions of a killed server to end by themselves, as they do after their present statement. */
const remainsPatienceMilliseconds = 3_000

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
  settings: Record<string, string>
  /**
   * True: a missing folder is made. False: the folder was there before, so a missing folder means that its data or its disk is
   * lost.
   */
  mayBeMade: boolean
}

function urlsOf(server: LiveServer): DatabaseUrls {
  const url = (role: string) =>
    `postgresql://${role}@localhost:${server.port}/${databaseName}?host=${encodeURIComponent(server.socketFolder)}`
  return { ownerUrl: url(ownerRole), applicationUrl: url(applicationRole) }
}

async function prepareCluster(options: EmbeddedPostgresOptions): Promise<Cluster> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const folder = await clusterFolderOf(options.dataDir)
  const user = await chooseServerUser(folder)
  const binaries = options.binaries ?? (await findBinaries(user))
  const clusterName = clusterNameOf(folder)
  return { folder, clusterName, binaries, user, settings: { cluster_name: clusterName, ...options.settings }, mayBeMade: true }
}

/** Starts the server and waits until it accepts connections. Makes a missing folder if `mayBeMade`. */
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
  const what = started === 'killed' ? 'PostgreSQL was killed while it started' : 'PostgreSQL did not start'
  throw new Error(`${what}: ${await readStartFailure({ workingFolder: folder, user }, logFile)}`)
}

type Held = { server: LiveServer; lease: ServerLease }

/**
 * Starts the server, or waits for one that is starting or stopping: the process that started it may have been killed since.
 * Call it under the start lock.
 */
async function startOrAwaitServer(cluster: Cluster, stopping: AbortSignal): Promise<LiveServer> {
  const { folder, clusterName } = cluster
  const startedAt = performance.now()
  const findServer = () => findLiveServer(folder, clusterName)
  let server = await findServer()
  while (server && !server.isReady && performance.now() - startedAt < timeoutSeconds * 1_000) {
    await delay(retryMilliseconds, undefined, { signal: stopping })
    server = await findServer()
  }
  if (server) return server
  await startServer(cluster)
  const started = await findServer()
  if (!started) throw new Error('PostgreSQL started and went away again')
  return started
}

/** Finds the server, or starts it. One process at a time starts it; the others wait as long as it takes. */
async function findOrStartServer(cluster: Cluster, stopping: AbortSignal): Promise<LiveServer> {
  for (;;) {
    const server = await findLiveServer(cluster.folder, cluster.clusterName)
    if (server?.isReady) return server
    using alone = await takeStartLock(`${cluster.folder}.start`)
    if (alone) return await startOrAwaitServer(cluster, stopping)
    await delay(retryMilliseconds, undefined, { signal: stopping })
  }
}

/**
 * True when processes of a killed server keep a new one from starting. They are in no lock file and end by themselves as a
 * rule.
 */
const isHeldByRemains = (error: unknown) => error instanceof Error && error.message.includes('pre-existing shared memory')

/**
 * True when another try may succeed, because the cause ends soon: another process stops the server, or processes of a killed
 * server have not ended yet. A wrong setting or a full disk does not end by itself.
 */
function isPassing(error: unknown): boolean {
  if (classifyDatabaseError(error) === 'connection_lost' || isHeldByRemains(error)) return true
  if (!(error instanceof Error) || /no space left on device/i.test(error.message)) return false
  return /lock file|went away again|was killed while it started/.test(error.message)
}

type Holding = { log: EmbeddedPostgresOptions['log']; onLost: () => void; stopping: AbortSignal }

/**
 * Starts the server or joins it, and tries again after a failure that passes.
 * @throws a failure that does not pass, or lasts too long; also when `stopping` is aborted
 */
async function holdServer(cluster: Cluster, { log, onLost, stopping }: Holding): Promise<Held> {
  let failedAt: number | undefined
  for (;;) {
    try {
      const server = await findOrStartServer(cluster, stopping)
      return { server, lease: await leaseServer(server, onLost) }
    } catch (error) {
      failedAt ??= performance.now()
      const waited = performance.now() - failedAt
      if (!isPassing(error) || waited > startPatienceMilliseconds) throw error
      if (isHeldByRemains(error) && waited > remainsPatienceMilliseconds) await endRemainsAlone(cluster, log)
      await delay(retryMilliseconds)
    }
  }
}

async function endRemainsAlone({ folder, clusterName }: Cluster, log: EmbeddedPostgresOptions['log']): Promise<void> {
  using alone = await takeStartLock(`${folder}.start`)
  if (!alone || (await findLiveServer(folder, clusterName))) return
  const processes = await endRemainingProcesses(clusterName)
  log.warn({ folder, processes }, 'what a killed database server had left running was ended, so that a new one can start')
}

/**
 * Stops this one server. A new server that another process has started in the folder meanwhile is neither stopped nor waited
 * for.
 */
async function stopServer(
  { folder, clusterName }: Cluster,
  server: LiveServer,
  log: EmbeddedPostgresOptions['log'],
): Promise<void> {
  if (!(await endServer(server, clusterName, stopTimeoutSeconds))) {
    log.warn({ pid: server.pid }, 'PostgreSQL did not stop in time; what is committed is safe')
    return
  }
  // The lock protects the socket folder of another process that is just starting. `rmdir` fails for a folder in use, because it
  // is not empty.
  using alone = await takeStartLock(`${folder}.start`).catch(() => undefined)
  if (alone) await rmdir(server.socketFolder).catch(() => undefined)
}

/**
 * Starts the embedded PostgreSQL of a DATA_DIR, or uses the one that already runs there. If the server ends, it is started
 * again at the same address. It also starts after a `kill -9` of everything: with old lock files (even when another process
 * has their process id now), an old socket, and shared memory that is not free yet.
 * @throws with PostgreSQL's own message when the server does not start
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
  const holding = { log, onLost, stopping: stopping.signal }
  async function holdAgain(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        held = await holdServer({ ...cluster, mayBeMade: false }, holding)
        log.info({ folder: cluster.folder }, 'the database server is back')
        return
      } catch (error) {
        if (stopping.signal.aborted) return
        log.warn({ err: error }, 'the database server does not start; trying again')
        await delay(restartPauseMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }
  let held = await holdServer(cluster, holding)
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
 * Finds the running embedded server of a DATA_DIR. This does not keep the server running; a process that needs it for long
 * calls `startEmbeddedPostgres`.
 */
export async function findEmbeddedPostgres(dataDir: string): Promise<DatabaseUrls | undefined> {
  const folder = await clusterFolderOf(dataDir)
  const server = await findLiveServer(folder, clusterNameOf(folder))
  return server && urlsOf(server)
}
