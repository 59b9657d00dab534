import process from 'node:process'
import type { Logger } from 'pino'
import { type Config, childEnvironment, readConfig } from '../../config.ts'
import { demoKeysFile } from '../../demo/demo-keys.ts'
import { type DemoSeeding, seedDemo } from '../../demo/seed-demo.ts'
import { createLog } from '../../platform/create-log.ts'
import { CommandError } from '../command-error.ts'
import { migrateDatabase } from '../migrate-installation.ts'
import { connectAsApplication, type InstallationDatabase, openDatabase } from '../open-database.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { bannerText } from './banner.ts'
import { claimStart } from './claim-start.ts'
import { findFreePort } from './find-free-port.ts'
import { apiNodeOptions, commandLineEntry, simulatorEntry, workerNodeOptions } from './spawn-ours.ts'
import { type ProcessDescription, type SupervisedProcess, superviseProcess } from './supervise-process.ts'
import { waitForApi, waitForReadyMessage, waitForSimulator } from './wait-until-ready.ts'
import { watchSources } from './watch-sources.ts'

/** PORT=0 is decided here, because the simulator has to know where to call back. */
async function readStartConfig(): Promise<{ config: Config; environment: NodeJS.ProcessEnv }> {
  const config = readConfig()
  const port = config.port === 0 ? await findFreePort(config.host) : config.port
  const environment = childEnvironment({ PORT: String(port), DATA_DIR: config.dataDir })
  return { config: readConfig(environment), environment }
}

/** Migrates the embedded database; one of an operator's own is migrated by `makola migrate`, when he decides. */
async function makeDatabaseReady(config: Config, database: InstallationDatabase, log: Logger): Promise<DemoSeeding> {
  if (database.isEmbedded) {
    const migrations = await migrateDatabase(database.ownerUrl)
    if (migrations.length > 0) log.info({ migrations }, 'the database was migrated')
  }
  const db = connectAsApplication(database.applicationUrl, { poolSize: 2, applicationName: 'makola start' })
  try {
    await prepareDatabase(config, database.applicationUrl, db)
    return await seedDemo({ db, config, log })
  } finally {
    await db.destroy()
  }
}

/** Where the simulator calls back: this machine, by the name that its certificate is made for. */
function callbackBaseUrl(config: Config): string {
  return config.tls.kind === 'local' ? `https://localhost:${config.port}` : config.publicUrl
}

async function describeSimulator(config: Config, environment: NodeJS.ProcessEnv): Promise<ProcessDescription> {
  const port = await findFreePort('127.0.0.1')
  // Its log is for those who look for it; on a terminal it would only be noise.
  const level = process.stdout.isTTY ? 'warn' : config.logLevel
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

/** Each role has a port of its own: the worker's is the one after the API's, or both are picked free and logged. */
function metricsPort(config: Config, index: number): Record<string, string> {
  const first = config.metrics?.port ?? 0
  return { METRICS_PORT: String(first === 0 ? 0 : first + index) }
}

function describeRoles(config: Config, environment: NodeJS.ProcessEnv): ProcessDescription[] {
  const api = { ...environment, ...metricsPort(config, 0) }
  const worker = { ...environment, ...metricsPort(config, 1) }
  return [
    {
      name: 'api',
      words: [...apiNodeOptions, commandLineEntry, 'api'],
      environment: api,
      waitUntilReady: (child) => waitForApi(child, config),
    },
    {
      name: 'worker',
      words: [...workerNodeOptions, commandLineEntry, 'worker'],
      environment: worker,
      waitUntilReady: waitForReadyMessage,
    },
  ]
}

function announce(config: Config, seeding: DemoSeeding, startMilliseconds: number, log: Logger): void {
  if (process.stdout.isTTY) {
    const facts = { config, keys: seeding.keys, areKeysNew: seeding.isNew, startMilliseconds }
    process.stdout.write(`${bannerText(facts)}\n`)
    return
  }
  const { publicUrl, dataDir } = config
  log.info(
    {
      api: `${publicUrl}/api/v2`,
      openapi: `${publicUrl}/openapi.json`,
      dataDir,
      ...(config.tls.kind === 'local' ? { certificateAuthority: `${dataDir}/tls/ca.pem` } : {}),
      ...(seeding.keys ? { demoKeys: demoKeysFile(dataDir) } : {}),
      startMilliseconds: Math.round(startMilliseconds),
    },
    'makola is ready',
  )
}

/** Resolves with the reason when we are to stop: a signal, or the process that started us is gone. */
function askedToStop(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
    if (process.channel !== undefined) process.on('disconnect', () => resolve('the parent process is gone'))
  })
}

/** `makola start`: the database, then every role as a process of its own, until asked to stop. */
export async function runStart(options: { isWatching: boolean }): Promise<void> {
  const { config, environment } = await readStartConfig()
  const log = createLog({ role: 'start', level: config.logLevel })
  const stopAsked = askedToStop()
  const processes: SupervisedProcess[] = []
  const database = await openDatabase(config, log)
  let simulator: SupervisedProcess | undefined
  let releaseClaim: (() => Promise<void>) | undefined
  try {
    if (database.isEmbedded) releaseClaim = await claimOrRefuse(config, database)
    if (config.suppliers === 'simulator' && config.simulatorUrl === undefined) {
      simulator = superviseProcess(await describeSimulator(config, environment), log)
      // Its failure is met below, together with the others'.
      simulator.ready.catch(() => undefined)
    }
    const seeding = await makeDatabaseReady(config, database, log)
    processes.push(...describeRoles(config, environment).map((description) => superviseProcess(description, log)))
    const ready = Promise.all([...processes, ...(simulator ? [simulator] : [])].map((each) => each.ready))
    const isStarted = await Promise.race([ready.then(() => true), stopAsked.then(() => false)])
    if (isStarted) announce(config, seeding, process.uptime() * 1000, log)
    const stopWatching = options.isWatching
      ? watchSources(() => void restartAll([...processes, ...(simulator ? [simulator] : [])], log))
      : undefined
    log.info({ reason: await stopAsked }, 'makola is stopping')
    stopWatching?.()
    ready.catch(() => undefined)
  } finally {
    await Promise.all(processes.map((each) => each.stop()))
    // After the worker, which may be waiting for an answer from it.
    await simulator?.stop()
    await releaseClaim?.()
    await database.stop()
  }
  log.info('makola has stopped')
  if (process.connected) process.disconnect()
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
