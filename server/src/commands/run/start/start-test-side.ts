import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Logger } from 'pino'
import { type Config, ConfigError, readConfig } from '../../../config.ts'
import { findFreePort } from '../../../platform/find-free-port.ts'
import { keyFileOf } from '../../../platform/secrets/load-secrets-keys.ts'
import type { InstallationDatabase } from '../../frame/open-database.ts'
import { describeRoles, describeSimulator, makeDatabaseReady, superviseForLater } from './describe-processes.ts'
import type { SupervisedProcess } from './supervise-process.ts'

const databaseName = 'makola_test'

/** The most connections of the test side to the embedded PostgreSQL. The other connections are left for real sales. */
const connectionsMax = 40

/** The nice value of the test side's processes. It lowers their priority, so that real sales go first on a busy processor. */
const niceness = 10

export type TestSideDescription = {
  readonly config: Config
  readonly environment: NodeJS.ProcessEnv
  readonly database: InstallationDatabase
  /** The variables that tell the real side where its test side is. */
  readonly addresses: { readonly TEST_API_URL: string; readonly TEST_DATABASE_URL: string }
}

function onOtherDatabase(url: string): string {
  const other = new URL(url)
  other.pathname = `/${databaseName}`
  return other.href
}

/** @throws ConfigError when the installation's database is not embedded and there is no database for the test side */
export function testDatabaseOf(
  { databaseUrl, testDatabaseUrl: given }: Pick<Config, 'databaseUrl' | 'testDatabaseUrl'>,
  main: Pick<InstallationDatabase, 'ownerUrl' | 'applicationUrl'>,
): InstallationDatabase {
  const stop = async () => undefined
  if (databaseUrl === undefined) {
    const [ownerUrl, applicationUrl] = [onOtherDatabase(main.ownerUrl), onOtherDatabase(main.applicationUrl)]
    return { ownerUrl, applicationUrl, isEmbedded: true, stop }
  }
  if (!given) throw new ConfigError('TEST_MODE=on with DATABASE_URL needs TEST_DATABASE_URL: another database for the test side.')
  return { ownerUrl: given, applicationUrl: given, isEmbedded: false, stop }
}

/**
 * Describes the processes in which test keys buy: a second API, worker and simulator with a second database. They listen only
 * on this machine, know no real supplier, and send no mail.
 * @param main the database of the installation, which is open
 */
export async function describeTestSide(
  config: Config,
  environment: NodeJS.ProcessEnv,
  main: InstallationDatabase,
): Promise<TestSideDescription> {
  const database = testDatabaseOf(config, main)
  if (database.isEmbedded) await createDatabase(main.ownerUrl)
  const port = await findFreePort('127.0.0.1')
  const own: NodeJS.ProcessEnv = {
    ...environment,
    TEST_SIDE_OF: config.suppliers,
    TEST_MODE: undefined,
    TEST_API_URL: undefined,
    TEST_DATABASE_URL: undefined,
    DATABASE_URL: database.applicationUrl,
    DATABASE_READ_URL: undefined,
    OIDC_ISSUER: undefined,
    OIDC_CLIENT_ID: undefined,
    OIDC_CLIENT_SECRET: undefined,
    DATA_DIR: join(config.dataDir, 'test'),
    ARCHIVE_DIR: undefined,
    SUPPLIERS: 'simulator',
    SIMULATOR_URL: undefined,
    SIMULATOR_PORT: undefined,
    SIMULATOR_CALLBACK_BASE_URL: undefined,
    DEMO: 'empty',
    HOST: '127.0.0.1',
    PORT: String(port),
    TLS: 'proxy',
    TLS_CERT_FILE: undefined,
    TLS_KEY_FILE: undefined,
    TRUSTED_PROXIES: 'loopback',
    // Both sides use the same secrets keys, because the secrets of webhooks are copied while they are sealed.
    ...(config.databaseUrl === undefined && config.secretsKey === undefined && { SECRETS_KEY_FILE: keyFileOf(config.dataDir) }),
    SMTP_URL: undefined,
    PUBLIC_URL: config.publicUrl,
    METRICS_PORT: undefined,
    OTEL_SDK_DISABLED: 'true',
  }
  return {
    config: readConfig(own),
    environment: own,
    database,
    addresses: { TEST_API_URL: `http://127.0.0.1:${port}`, TEST_DATABASE_URL: database.applicationUrl },
  }
}

async function createDatabase(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'makola start' })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName])
    if (rowCount === 0) await client.query(`create database ${databaseName} connection limit ${connectionsMax}`)
  } finally {
    await client.end()
  }
}

export type TestSideProcesses = { stop(patienceMilliseconds?: number): Promise<void> }

/**
 * Starts the processes of the test side in the background. A failure is only logged, because the real side serves without a
 * test side.
 */
export function startTestSide({ config, environment, database }: TestSideDescription, log: Logger): TestSideProcesses {
  const processes: SupervisedProcess[] = []
  let isStopped = false
  const start = async () => {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    await makeDatabaseReady(config, database, log)
    const simulator = await describeSimulator(config, environment)
    if (isStopped) return
    const atOnce = Promise.resolve()
    const roles = describeRoles(config, environment, { api: atOnce, worker: atOnce })
    for (const described of [simulator, ...roles]) {
      processes.push(superviseForLater({ ...described, name: `test side: ${described.name}`, niceness }, log))
    }
    await Promise.all(processes.map((each) => each.ready))
    log.info('the test side is ready')
  }
  start().catch((error: unknown) => log.error({ err: error }, 'the test side did not start'))
  return {
    async stop(patienceMilliseconds) {
      isStopped = true
      await Promise.all(processes.map((each) => each.stop(patienceMilliseconds)))
    },
  }
}
