import type { Logger } from 'pino'
import { memoryEnvironment, nodeOptionsOfRoles } from '../../../../bin/node-options.js'
import type { Config } from '../../../config.ts'
import { type DemoSeeding, prepareDemo, seedDemo } from '../../../demo/seed-demo.ts'
import { isSchemaReady } from '../../../platform/database/migrate.ts'
import { findFreePort } from '../../../platform/find-free-port.ts'
import { connectAsApplication, type InstallationDatabase } from '../../frame/open-database.ts'
import { migrateDatabase } from '../migrate-installation.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { waitFlag } from '../wait-for-begin.ts'
import { commandLineEntry, simulatorEntry } from './spawn-program.ts'
import { type ProcessDescription, type SupervisedProcess, superviseProcess } from './supervise-process.ts'
import { waitForApi, waitForReadyMessage, waitForSimulator } from './wait-until-ready.ts'

/**
 * Migrates the database if it is embedded (only `makola migrate` migrates any other), checks it, and seeds the demo.
 * @param onChecked called after the check, before the demo is seeded: from then on a process may use the database
 */
export async function makeDatabaseReady(
  config: Config,
  database: InstallationDatabase,
  log: Logger,
  onChecked: () => void = () => undefined,
): Promise<DemoSeeding> {
  const db = connectAsApplication(database.applicationUrl, { poolSize: 2, applicationName: 'makola start' })
  try {
    let prepared: ReturnType<typeof prepareDemo> | undefined
    if (database.isEmbedded && !(await isSchemaReady(db))) {
      prepared = prepareDemo(config)
      // `seedDemo` awaits it and throws its error. This prevents an unhandled rejection until then.
      prepared.catch(() => undefined)
      const migrations = await migrateDatabase(database.ownerUrl)
      if (migrations.length > 0)
        log.info({ migrations: migrations.length, newest: migrations.at(-1) }, 'the database was migrated')
    }
    await prepareDatabase(config, database, db, log)
    onChecked()
    return await seedDemo({ db, config, log, prepared })
  } finally {
    await db.destroy()
  }
}

/**
 * The address to which the simulator sends callbacks. With our own certificate it is `localhost`, the name in that certificate.
 */
function callbackBaseUrl(config: Config): string {
  if (config.testSideOf) return `http://127.0.0.1:${config.port}`
  return config.tls.kind === 'local' ? `https://localhost:${config.port}` : config.publicUrl
}

export async function describeSimulator(config: Config, environment: NodeJS.ProcessEnv): Promise<ProcessDescription> {
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

type RoleName = 'api' | 'worker'

/**
 * Each role has its own metrics port: the worker's is the one after the API's. With port 0, or without METRICS_PORT, free ports
 * are picked and logged.
 */
function metricsPort(config: Config, index: number): Record<string, string> {
  const first = config.metrics?.port ?? 0
  return { METRICS_PORT: String(first === 0 ? 0 : first + index) }
}

export function describeRoles(
  config: Config,
  environment: NodeJS.ProcessEnv,
  mayBegin: Readonly<Record<RoleName, Promise<void>>>,
): ProcessDescription[] {
  const described = (name: RoleName, index: number) => ({
    name,
    words: [...(nodeOptionsOfRoles[name] ?? []), commandLineEntry, name, waitFlag],
    environment: { ...memoryEnvironment, ...environment, ...metricsPort(config, index) },
    mayBegin: mayBegin[name],
  })
  return [
    { ...described('api', 0), waitUntilReady: (child) => waitForApi(child, config) },
    { ...described('worker', 1), waitUntilReady: waitForReadyMessage },
  ]
}

/** Starts a process. The caller handles its failure later, together with the failures of the other processes. */
export function superviseForLater(description: ProcessDescription, log: Logger): SupervisedProcess {
  const supervised = superviseProcess(description, log)
  supervised.ready.catch(() => undefined)
  return supervised
}
