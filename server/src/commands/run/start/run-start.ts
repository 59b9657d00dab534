import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { type Config, childEnvironment, readConfig } from '../../../config.ts'
import { demoKeysFile, readDemoSignIns } from '../../../demo/demo-files.ts'
import type { DemoSeeding } from '../../../demo/seed-demo.ts'
import { createLog } from '../../../platform/create-log.ts'
import { findFreePort } from '../../../platform/find-free-port.ts'
import { shutdownSeconds } from '../../../platform/shutdown-seconds.ts'
import { CommandError } from '../../frame/command-error.ts'
import { type InstallationDatabase, openDatabase } from '../../frame/open-database.ts'
import { waitForStopRequest } from '../wait-for-stop-request.ts'
import { bannerText, listExampleCalls } from './banner.ts'
import { checkPortAndDataDir, explainListenFailure } from './check-port-and-data-dir.ts'
import { describeRoles, describeSimulator, makeDatabaseReady, superviseForLater } from './describe-processes.ts'
import { describeTestSide, startTestSide, type TestSideProcesses } from './start-test-side.ts'
import type { SupervisedProcess } from './supervise-process.ts'
import { watchSources } from './watch-sources.ts'

/** Number of the advisory lock that a running `makola start` holds. Any fixed number would do. */
const startLock = 715_517_002

/**
 * Lets only one `makola start` run on an embedded database. The claim ends with its connection, also when the process is
 * killed.
 * @returns a function that ends the claim, or undefined when another process holds it
 */
async function claimStart(url: string): Promise<(() => Promise<void>) | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: 'makola start' })
  // A restart of PostgreSQL ends the claim. A second `makola start` on the same port then still fails.
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [startLock])
  const release = () => client.end().catch(() => undefined)
  if (rows[0]?.is_ours === true) return release
  await release()
  return undefined
}

function freePortFor({ host }: Config): Promise<number> {
  return findFreePort(host).catch((error: unknown) => {
    throw explainListenFailure(error)
  })
}

/**
 * Replaces `PORT=0` by a real port, because the simulator must know where to call back. Removes the login that owns the tables,
 * because no child needs it.
 */
async function readStartConfig(): Promise<{ config: Config; environment: NodeJS.ProcessEnv }> {
  const config = readConfig()
  const port = config.port === 0 ? await freePortFor(config) : config.port
  const environment = childEnvironment({ PORT: String(port), DATA_DIR: config.dataDir, MIGRATE_DATABASE_URL: undefined })
  return { config: readConfig(environment), environment }
}

async function announce(config: Config, seeding: DemoSeeding, startMilliseconds: number, log: Logger): Promise<void> {
  if (config.logFormat === 'text') {
    const signIns = await readDemoSignIns(config.dataDir)
    const facts = { config, keys: seeding.keys, areKeysNew: seeding.isNew, signIns, startMilliseconds }
    process.stdout.write(`${bannerText(facts)}\n`)
    return
  }
  const { publicUrl, dataDir } = config
  log.info(
    {
      app: `${publicUrl}/app`,
      desk: `${publicUrl}/desk`,
      api: `${publicUrl}/api/v2`,
      openapi: `${publicUrl}/openapi.json`,
      dataDir,
      ...(config.tls.kind === 'local' ? { certificateAuthority: `${dataDir}/tls/ca.pem` } : {}),
      ...(seeding.keys ? { demoKeys: demoKeysFile(dataDir), tryNext: listExampleCalls(config) } : {}),
      startMilliseconds: Math.round(startMilliseconds),
    },
    'makola is ready',
  )
}

/** After a failed start, children may take this long to stop. The rest of `failedStopMilliseconds` is for the database. */
const failedDrainMilliseconds = 300
/**
 * After a failed start, this process ends after this time at the latest. Children that still run then have been asked to stop,
 * and stop by themselves.
 */
const failedStopMilliseconds = 700

/** Everything that a start has opened so far and must close. */
type Opened = {
  database: InstallationDatabase | undefined
  roles: SupervisedProcess[]
  simulator: SupervisedProcess | undefined
  testSide: TestSideProcesses | undefined
  releaseClaim: (() => Promise<void>) | undefined
}

async function closeOpened(opened: Opened, drainMilliseconds?: number): Promise<void> {
  await opened.testSide?.stop(drainMilliseconds)
  await Promise.all(opened.roles.map((each) => each.stop(drainMilliseconds)))
  // The simulator stops after the worker, because the worker may be waiting for its answer.
  await opened.simulator?.stop(drainMilliseconds ?? shutdownSeconds.simulator * 1_000)
  await opened.releaseClaim?.()
  await opened.database?.stop()
}

/**
 * Starts all processes. Resolves when all of them serve. Resolves to undefined when a stop is requested before that. The roles
 * load their programs while the database starts. The API takes longest, so it begins as soon as the database is checked. The
 * worker begins after the demo is seeded: before, it would raise alarms about the demo's old orders.
 */
async function openAll(
  opened: Opened,
  place: { config: Config; environment: NodeJS.ProcessEnv; log: Logger; stopAsked: Promise<string> },
): Promise<DemoSeeding | undefined> {
  const { config, environment, log, stopAsked } = place
  const [api, worker] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const opening = openDatabase(config, log).then((database) => {
    opened.database = database
    return database
  })
  // The roles start while the database opens. With a test side they start later, because they need the address of its database.
  const testSide = config.hasTestSide ? await describeTestSide(config, environment, await opening) : undefined
  const ownEnvironment = { ...environment, ...testSide?.addresses }
  const mayBegin = { api: api.promise, worker: worker.promise }
  opened.roles.push(...describeRoles(config, ownEnvironment, mayBegin).map((role) => superviseForLater(role, log)))
  const database = await opening
  if (database.isEmbedded) opened.releaseClaim = await claimOrRefuse(config, database)
  if (config.suppliers === 'simulator' && config.simulatorUrl === undefined) {
    opened.simulator = superviseForLater(await describeSimulator(config, environment), log)
  }
  const untilStop = stopAsked.then(() => undefined)
  const seeding = await Promise.race([makeDatabaseReady(config, database, log, api.resolve), untilStop])
  if (!seeding) return undefined
  worker.resolve()
  const ready = Promise.all(processesOf(opened).map((each) => each.ready)).then(() => {
    if (testSide) opened.testSide = startTestSide(testSide, log)
    return seeding
  })
  return Promise.race([ready, untilStop])
}

function processesOf({ roles, simulator }: Opened): SupervisedProcess[] {
  return simulator ? [...roles, simulator] : roles
}

/** Starts the database, and each role in its own process, and runs until asked to stop. */
export async function runStart(options: { isWatching: boolean }): Promise<void> {
  const { config, environment } = await readStartConfig()
  const log = createLog({ role: 'start', level: config.logLevel, format: config.logFormat, hasColour: config.hasColour })
  const stopAsked = waitForStopRequest(['SIGINT', 'SIGTERM', 'SIGHUP'])
  await checkPortAndDataDir(config)
  const opened: Opened = { database: undefined, roles: [], simulator: undefined, testSide: undefined, releaseClaim: undefined }
  try {
    const seeding = await openAll(opened, { config, environment, log, stopAsked })
    if (seeding) await announce(config, seeding, process.uptime() * 1000, log)
  } catch (error) {
    const stopped = closeOpened(opened, failedDrainMilliseconds).catch(() => undefined)
    await Promise.race([stopped, delay(failedStopMilliseconds)])
    throw error
  }
  const stopWatching = options.isWatching ? watchSources(() => void restartAll(processesOf(opened), log)) : undefined
  log.info({ reason: await stopAsked }, 'makola is stopping')
  stopWatching?.()
  await closeOpened(opened)
  log.info('makola has stopped')
}

async function claimOrRefuse(config: Config, database: InstallationDatabase): Promise<() => Promise<void>> {
  const release = await claimStart(database.applicationUrl)
  if (release) return release
  throw new CommandError(`Another \`makola start\` already runs in ${config.dataDir}. Stop it first, or set another DATA_DIR.`)
}

async function restartAll(processes: SupervisedProcess[], log: Logger): Promise<void> {
  log.info('a source file has changed; restarting')
  await Promise.all(processes.map((each) => each.restart()))
}
