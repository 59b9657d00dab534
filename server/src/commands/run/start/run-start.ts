import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { memoryEnvironment, nodeOptionsOfRoles } from '../../../../bin/node-options.js'
import { type Config, childEnvironment, readConfig } from '../../../config.ts'
import { demoKeysFile } from '../../../demo/demo-keys.ts'
import { readDemoSignIns } from '../../../demo/demo-sign-ins.ts'
import { type DemoSeeding, seedDemo } from '../../../demo/seed-demo.ts'
import { createLog } from '../../../platform/create-log.ts'
import { isSchemaReady } from '../../../platform/database/migrate.ts'
import { findFreePort } from '../../../platform/find-free-port.ts'
import { shutdownSeconds } from '../../../platform/shutdown-seconds.ts'
import { CommandError } from '../../frame/command-error.ts'
import { connectAsApplication, type InstallationDatabase, openDatabase } from '../../frame/open-database.ts'
import { askedToStop } from '../asked-to-stop.ts'
import { explainListenFailure } from '../explain-listen-failure.ts'
import { migrateDatabase } from '../migrate-installation.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { waitFlag } from '../wait-for-begin.ts'
import { bannerText, tryNext } from './banner.ts'
import { checkPlace } from './check-place.ts'
import { commandLineEntry, simulatorEntry } from './spawn-ours.ts'
import { type ProcessDescription, type SupervisedProcess, superviseProcess } from './supervise-process.ts'
import { waitForApi, waitForReadyMessage, waitForSimulator } from './wait-until-ready.ts'
import { watchSources } from './watch-sources.ts'

/** Number of the advisory lock that a running `makola start` holds. Any fixed number would do. */
const startLock = 715_517_002

/**
 * Lets only one `makola start` run on an embedded database. The claim ends with its connection, so a killed process leaves none.
 * @returns a function that ends the claim, or undefined when another process holds it
 */
async function claimStart(url: string): Promise<(() => Promise<void>) | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: 'makola start' })
  // A restart of the server ends the claim. A second start then still fails, because the port is taken.
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
 * Replaces `PORT=0` by a real port, because the simulator must know where to call back. Removes the owner's login, because no
 * child needs it.
 */
async function readStartConfig(): Promise<{ config: Config; environment: NodeJS.ProcessEnv }> {
  const config = readConfig()
  const port = config.port === 0 ? await freePortFor(config) : config.port
  const environment = childEnvironment({ PORT: String(port), DATA_DIR: config.dataDir, MIGRATE_DATABASE_URL: undefined })
  return { config: readConfig(environment), environment }
}

/** Migrates an embedded database (any other is migrated by `makola migrate` alone), checks the database, and seeds the demo. */
async function makeDatabaseReady(config: Config, database: InstallationDatabase, log: Logger): Promise<DemoSeeding> {
  const db = connectAsApplication(database.applicationUrl, { poolSize: 2, applicationName: 'makola start' })
  try {
    if (database.isEmbedded && !(await isSchemaReady(db))) {
      const migrations = await migrateDatabase(database.ownerUrl)
      if (migrations.length > 0)
        log.info({ migrations: migrations.length, newest: migrations.at(-1) }, 'the database was migrated')
    }
    await prepareDatabase(config, database, db, log)
    return await seedDemo({ db, config, log })
  } finally {
    await db.destroy()
  }
}

/**
 * Address for the simulator's callbacks: with our own certificate, `localhost`, which is the name in it; else the public URL.
 */
function callbackBaseUrl(config: Config): string {
  return config.tls.kind === 'local' ? `https://localhost:${config.port}` : config.publicUrl
}

async function describeSimulator(config: Config, environment: NodeJS.ProcessEnv): Promise<ProcessDescription> {
  const port = await findFreePort('127.0.0.1')
  // On a terminal the simulator's log would only distract.
  const level = config.logFormat === 'text' ? 'warn' : config.logLevel
  return {
    name: 'simulator',
    words: [simulatorEntry],
    environment: {
      ...environment,
      LOG_LEVEL: level,
      SIMULATOR_PORT: environment['SIMULATOR_PORT'] || String(port),
      SIMULATOR_CALLBACK_BASE_URL: environment['SIMULATOR_CALLBACK_BASE_URL'] || callbackBaseUrl(config),
    },
    waitUntilReady: (child) => waitForSimulator(child, config.dataDir),
  }
}

/** Each role has its own metrics port: the worker's is the one after the API's. With 0, free ports are picked and logged. */
function metricsPort(config: Config, index: number): Record<string, string> {
  const first = config.metrics?.port ?? 0
  return { METRICS_PORT: String(first === 0 ? 0 : first + index) }
}

function describeRoles(config: Config, environment: NodeJS.ProcessEnv, mayBegin: Promise<void>): ProcessDescription[] {
  const described = (name: 'api' | 'worker', index: number) => ({
    name,
    words: [...(nodeOptionsOfRoles[name] ?? []), commandLineEntry, name, waitFlag],
    environment: { ...memoryEnvironment, ...environment, ...metricsPort(config, index) },
    mayBegin,
  })
  return [
    { ...described('api', 0), waitUntilReady: (child) => waitForApi(child, config) },
    { ...described('worker', 1), waitUntilReady: waitForReadyMessage },
  ]
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
      ...(seeding.keys ? { demoKeys: demoKeysFile(dataDir), tryNext: tryNext(config) } : {}),
      startMilliseconds: Math.round(startMilliseconds),
    },
    'makola is ready',
  )
}

/** After a failed start, children may take this long to stop. The rest of one second is for the database. */
const failedDrainMilliseconds = 300
/** After a failed start, this process ends after this time; children that were asked to stop finish by themselves. */
const failedStopMilliseconds = 700

/** Everything that a start has opened so far and must close. */
type Opened = {
  database: InstallationDatabase | undefined
  roles: SupervisedProcess[]
  simulator: SupervisedProcess | undefined
  releaseClaim: (() => Promise<void>) | undefined
}

async function closeOpened(opened: Opened, drainMilliseconds?: number): Promise<void> {
  await Promise.all(opened.roles.map((each) => each.stop(drainMilliseconds)))
  // Stopped after the worker, which may be waiting for the simulator's answer.
  await opened.simulator?.stop(drainMilliseconds ?? shutdownSeconds.simulator * 1_000)
  await opened.releaseClaim?.()
  await opened.database?.stop()
}

/** Starts a process whose failure is handled later, together with that of the others. */
function superviseForLater(description: ProcessDescription, log: Logger): SupervisedProcess {
  const supervised = superviseProcess(description, log)
  supervised.ready.catch(() => undefined)
  return supervised
}

/**
 * Starts everything, and resolves when all of it serves; resolves to undefined when it is asked to stop before that. The roles
 * load their programs while the database starts, and use it only when it is ready.
 */
async function openAll(
  opened: Opened,
  place: { config: Config; environment: NodeJS.ProcessEnv; log: Logger; stopAsked: Promise<string> },
): Promise<DemoSeeding | undefined> {
  const { config, environment, log, stopAsked } = place
  const { promise: mayBegin, resolve: begin } = Promise.withResolvers<void>()
  opened.roles.push(...describeRoles(config, environment, mayBegin).map((role) => superviseForLater(role, log)))
  const database = await openDatabase(config, log)
  opened.database = database
  if (database.isEmbedded) opened.releaseClaim = await claimOrRefuse(config, database)
  if (config.suppliers === 'simulator' && config.simulatorUrl === undefined) {
    opened.simulator = superviseForLater(await describeSimulator(config, environment), log)
  }
  const untilStop = stopAsked.then(() => undefined)
  const seeding = await Promise.race([makeDatabaseReady(config, database, log), untilStop])
  if (!seeding) return undefined
  begin()
  const ready = Promise.all(processesOf(opened).map((each) => each.ready)).then(() => seeding)
  return Promise.race([ready, untilStop])
}

function processesOf({ roles, simulator }: Opened): SupervisedProcess[] {
  return simulator ? [...roles, simulator] : roles
}

/** Starts the database, and each role in its own process, and runs until asked to stop. */
export async function runStart(options: { isWatching: boolean }): Promise<void> {
  const { config, environment } = await readStartConfig()
  const log = createLog({ role: 'start', level: config.logLevel, format: config.logFormat, hasColour: config.hasColour })
  const stopAsked = askedToStop(['SIGINT', 'SIGTERM', 'SIGHUP'])
  await checkPlace(config)
  const opened: Opened = { database: undefined, roles: [], simulator: undefined, releaseClaim: undefined }
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
