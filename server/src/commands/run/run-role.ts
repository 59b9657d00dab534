import { flushCompileCache } from 'node:module'
import { hostname } from 'node:os'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { raiseHistoryAlarm } from '../../orders/history/history-alarm.ts'
import { createLog } from '../../platform/create-log.ts'
import type { Db } from '../../platform/database/database.ts'
import { createHistoryWatch, type HistoryWatch } from '../../platform/history/history-watch.ts'
import { openMarkFile } from '../../platform/history/mark-file.ts'
import { type Metrics, openMetrics } from '../../platform/metrics/open-metrics.ts'
import { type MetricsServer, serveMetrics } from '../../platform/metrics/serve-metrics.ts'
import { shutdownSeconds } from '../../platform/shutdown-seconds.ts'
import type { Tracing } from '../../platform/tracing/tracing.ts'
import { connectAsApplication, openDatabase } from '../frame/open-database.ts'
import { prepareDatabase } from './prepare-database.ts'
import { explainListenFailure } from './start/check-port-and-data-dir.ts'
import { parentIsGone, waitForStopRequest } from './wait-for-stop-request.ts'

export type RunningRole = { stop(): Promise<void>; port?: number }

export type RoleDeps = {
  config: Config
  log: Logger
  db: Db
  applicationUrl: string
  metrics: Metrics | undefined
  tracing: Tracing | undefined
  history: HistoryWatch
}

/** The message of a child to `makola start` once it serves. */
export type ReadyMessage = { kind: 'ready'; port: number | undefined }

/** Connections of the pool that `runRole` gives to the role. The role opens further pools itself. */
const poolSize = 10

/**
 * Ends a session that is idle in a transaction for five seconds, so that a paused process does not keep wallets and orders
 * locked for the others.
 */
const session = { idle_in_transaction_session_timeout: '5s' }

/** A role's statements are batches of limited size. After a longer wait, the connection counts as dead. */
const queryTimeoutMilliseconds = 30_000

/**
 * When the parent is killed, the embedded server needs a moment to notice that the parent's lease has ended. Without this
 * pause, this process would think that the server is still needed, and nobody would stop it.
 */
const orphanPauseMilliseconds = 500

/** Ctrl-C reaches every process of a terminal. A process with a parent ignores it, and waits until the parent asks it to stop. */
function waitForRoleStopRequest(): Promise<string> {
  if (process.channel === undefined) return waitForStopRequest(['SIGTERM', 'SIGINT'])
  process.on('SIGINT', () => undefined)
  return waitForStopRequest(['SIGTERM'])
}

/** Does nothing when there is no parent, or when the parent has ended. */
function notifyParent(message: ReadyMessage): void {
  if (process.connected) process.send?.(message, undefined, {}, () => undefined)
}

/** If the metrics cannot be served, for example because their port is taken, logs that and goes on without them. */
async function announceMetrics(metrics: Metrics, config: Config, log: Logger): Promise<MetricsServer | undefined> {
  try {
    const served = config.metrics && (await serveMetrics(metrics, config.metrics))
    log.info({ url: served?.url }, 'the metrics for Prometheus are served')
    return served
  } catch (error) {
    log.error({ err: error }, 'the metrics for Prometheus cannot be served')
    return undefined
  }
}

/** Loads the code for traces only where a collector is named. */
async function openTracingOf(role: string, { tracedShare }: Config, log: Logger): Promise<Tracing | undefined> {
  if (tracedShare === undefined) return undefined
  const { openTracing } = await import('../../platform/tracing/open-tracing.ts')
  return openTracing(role, tracedShare, log)
}

async function serveUntilStopRequest(
  role: string,
  config: Config,
  start: (deps: RoleDeps) => Promise<RunningRole>,
): Promise<void> {
  const log = createLog({ role, level: config.logLevel, format: config.logFormat, hasColour: config.hasColour })
  const stopAsked = waitForRoleStopRequest()
  const database = await openDatabase(config, log)
  try {
    const { applicationUrl } = database
    const db: Db = connectAsApplication(applicationUrl, {
      poolSize,
      applicationName: `makola ${role}`,
      session,
      queryTimeoutMilliseconds,
      onConnect: (client) => history.compareConnection(client),
    })
    const history = watchHistory(role, config, db, log)
    try {
      await prepareDatabase(config, database, db, log)
      await history.begin()
      const metrics = config.metrics && openMetrics(role)
      const tracing = await openTracingOf(role, config, log)
      const running = await start({ config, log, db, applicationUrl, metrics, tracing, history })
      const served = metrics && (await announceMetrics(metrics, config, log))
      // The compiled code is stored at once. A process that is killed later would not store it, and the next one would start
      // twice as slowly.
      flushCompileCache()
      // Logged before the message to the parent, so that this line does not appear after the text that the parent shows.
      log.info({ port: running.port }, `${role} is ready`)
      notifyParent({ kind: 'ready', port: running.port })
      const reason = await stopAsked
      log.info({ reason }, `${role} is stopping`)
      setTimeout(() => process.exit(1), shutdownSeconds.process * 1_000).unref()
      await running.stop()
      history.stop()
      await served?.close()
      await tracing?.stop()
      if (reason === parentIsGone) await delay(orphanPauseMilliseconds)
    } finally {
      await db.destroy()
    }
  } finally {
    await database.stop()
  }
  log.info(`${role} has stopped`)
}

/**
 * Runs one role in the foreground: finds and checks the database, starts the role, and stops it in order when asked.
 *
 * @throws when the database is not fit to serve from, or the role does not start
 */
export async function runRole(role: string, config: Config, start: (deps: RoleDeps) => Promise<RunningRole>): Promise<void> {
  try {
    await serveUntilStopRequest(role, config, start)
  } catch (error) {
    throw explainListenFailure(error)
  }
}

/** Makes the watch for lost changes. Every pool of the process, also that of `db`, checks its new connections with it. */
export function watchHistory(role: string, { dataDir }: Pick<Config, 'dataDir'>, db: Db, log: Logger): HistoryWatch {
  return createHistoryWatch({
    db,
    log,
    name: `${role} ${process.pid} on ${hostname()}`,
    file: openMarkFile(dataDir),
    raiseAlarm: (on, gap) => raiseHistoryAlarm(on, log, gap),
  })
}
