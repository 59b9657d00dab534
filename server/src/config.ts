import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { isatty } from 'node:tty'
import { compile } from '@fastify/proxy-addr'
import { Ajv } from 'ajv'
import { demoOn, Environment } from './environment.ts'
import { listServerAddresses } from './platform/database/servers/server-addresses.ts'

/** The configuration from the environment. The database holds the settings that the operator changes while Makola runs. */
export type Config = {
  /** Undefined: the embedded PostgreSQL in DATA_DIR. */
  databaseUrl: string | undefined
  /** The address of standbys, which lists and reports are read from. Undefined: all is read from the database itself. */
  readDatabaseUrl: string | undefined
  /** The address with the login that owns the tables. Undefined: the login of `databaseUrl` owns them. */
  migrateDatabaseUrl: string | undefined
  /** An absolute path. */
  dataDir: string
  /** The folder for the files of months that are put away, as an absolute path. */
  archiveDir: string
  host: string
  /** 0 takes any free one. */
  port: number
  tls: { kind: 'local' } | { kind: 'files'; certFile: string; keyFile: string } | { kind: 'proxy'; trustedProxies: string[] }
  keyPrefix: string
  secretsKey: { base64: string } | { file: string } | undefined
  suppliers: 'simulator' | 'live'
  simulatorUrl: string | undefined
  /** Time limit of a call to the simulator, in seconds; undefined: the usual short limits for the simulator. */
  simulatorCallSeconds: number | undefined
  demo: boolean
  /** True: `makola start` also starts a test side. */
  hasTestSide: boolean
  /** The addresses of this installation's test side. Undefined: it has none. */
  testSide: { apiUrl: string; databaseUrl: string } | undefined
  /** The database that `makola start` gives to the test side; undefined: one in the embedded server. */
  testDatabaseUrl: string | undefined
  /** Only on a test side: the suppliers of its real side. Undefined: this is no test side. */
  testSideOf: 'simulator' | 'live' | undefined
  /** True: a new demo has a month of invented orders. */
  hasDemoMonth: boolean
  logLevel: string
  /** `text` is for a person at a terminal, `json` for programs. */
  logFormat: 'json' | 'text'
  hasColour: boolean
  smtpUrl: string | undefined
  /** True: the operator's staff can work only after they have set up a second factor. */
  isStaffTwoFactorNeeded: boolean
  publicUrl: string
  /** The OpenID provider that staff may sign in with. Undefined: staff sign in only at this installation. */
  directory: DirectorySettings | undefined
  rateLimitStore: 'memory' | 'postgres'
  /** Undefined: `/metrics` is not served. Port 0 takes any free one. */
  metrics: { host: string; port: number } | undefined
  /** The part of the orders that is traced, above 0 and up to 1. Undefined: none is. */
  tracedShare: number | undefined
}

type DirectorySettings = Record<'issuer' | 'clientId' | 'clientSecret', string> & {
  domains: string[]
  group: string | undefined
  trustedFactors: string[]
}

/** The message names the variable and its allowed values. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

// Ajv does not check our own schema: every command reads its environment first, and that check would take longer than the
// reading.
const ajv = new Ajv({ removeAdditional: true, useDefaults: true, coerceTypes: true, meta: false, validateSchema: false })
const checkEnvironment = ajv.compile<Environment>({ ...Environment, additionalProperties: false })

function readEnvironment(environment: NodeJS.ProcessEnv): Environment {
  // An empty variable counts as unset, because compose files and shells leave variables out that way.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const read = { ...given }
  if (checkEnvironment(read)) return read
  const [first] = checkEnvironment.errors ?? []
  const name = first?.instancePath.slice(1)
  const schema = Environment.properties[name as keyof typeof Environment.properties] as { description?: string } | undefined
  if (!name || !schema) throw new ConfigError(`The environment cannot be read: ${ajv.errorsText(checkEnvironment.errors)}.`)
  // The values of secrets and addresses are not shown, because an address may hold a password.
  const value = /SECRET|URL|ENDPOINT|ISSUER/.test(name) ? '' : `, not ${JSON.stringify(given[name])}`
  throw new ConfigError(`${name} must be ${schema.description}${value}.`)
}

/** The standard's variables: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
function readTracedShare(read: Environment): number | undefined {
  const endpoint = read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? read.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined || read.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const sampler = read.OTEL_TRACES_SAMPLER?.replace(/^parentbased_/, '')
  const share = sampler === 'traceidratio' ? (read.OTEL_TRACES_SAMPLER_ARG ?? 1) : sampler === 'always_off' ? 0 : 1
  return share === 0 ? undefined : share
}

/** Checks the form of the address, without connecting. @throws ConfigError when it cannot be used */
function checkDatabaseUrl(name: string, url: string | undefined, isStandby = false): string | undefined {
  try {
    if (url !== undefined) listServerAddresses(url, isStandby)
  } catch (error) {
    throw new ConfigError(`${name} cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  }
  return url
}

function readMigrateDatabaseUrl(read: Environment): string | undefined {
  if (read.MIGRATE_DATABASE_URL !== undefined && read.DATABASE_URL === undefined) {
    throw new ConfigError('MIGRATE_DATABASE_URL is the address for the owner of the tables; DATABASE_URL must be given too.')
  }
  return checkDatabaseUrl('MIGRATE_DATABASE_URL', read.MIGRATE_DATABASE_URL)
}

/** True when Fastify accepts an entry of a proxy list: an address, a network, or a name such as `loopback`. */
function isProxyRange(entry: string): boolean {
  try {
    compile(entry)
    return true
  } catch {
    return false
  }
}

const readList = (list = ''): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

function readDirectory(read: Environment): Config['directory'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = read
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    throw new ConfigError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be given together.')
  }
  return {
    issuer,
    clientId,
    clientSecret,
    domains: readList(read.OIDC_DOMAINS?.toLowerCase()),
    group: read.OIDC_GROUP,
    trustedFactors: readList(read.OIDC_TRUSTED_FACTORS),
  }
}

function readTrustedProxies(list: string | undefined): string[] {
  const proxies = readList(list)
  if (proxies.length === 0) {
    throw new ConfigError('TLS=proxy needs TRUSTED_PROXIES: the addresses of the proxies, for example 10.0.0.5 or loopback.')
  }
  const wrong = proxies.find((entry) => !isProxyRange(entry))
  if (wrong !== undefined)
    throw new ConfigError(`TRUSTED_PROXIES must be a list of IP addresses or networks; ${JSON.stringify(wrong)} is none.`)
  return proxies
}

function readTls(read: Environment): Config['tls'] {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = read
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new ConfigError('TLS_CERT_FILE and TLS_KEY_FILE must be given together.')
  }
  const kind = read.TLS ?? (certFile === undefined ? 'local' : 'files')
  if (kind === 'proxy') return { kind, trustedProxies: readTrustedProxies(read.TRUSTED_PROXIES) }
  if (kind === 'local') return { kind }
  if (certFile === undefined || keyFile === undefined) throw new ConfigError('TLS=files needs TLS_CERT_FILE and TLS_KEY_FILE.')
  return { kind, certFile: resolve(certFile), keyFile: resolve(keyFile) }
}

/** With simulated suppliers, staff may work without a second factor. @throws ConfigError when live suppliers are set too */
function readStaffTwoFactor(read: Environment): boolean {
  if (read.STAFF_TWO_FACTOR !== 'off') return true
  if (read.SUPPLIERS === 'live') throw new ConfigError('STAFF_TWO_FACTOR=off is allowed only with SUPPLIERS=simulator.')
  return false
}

/**
 * @throws ConfigError when only one of the two addresses is set without TEST_MODE, or a test side has live suppliers or a test
 * side of its own
 */
function readTestSide(read: Environment): Pick<Config, 'hasTestSide' | 'testSide' | 'testDatabaseUrl' | 'testSideOf'> {
  const { TEST_API_URL: apiUrl, TEST_DATABASE_URL: databaseUrl, TEST_SIDE_OF: testSideOf } = read
  if (testSideOf !== undefined && (read.SUPPLIERS === 'live' || read.TEST_MODE === 'on' || apiUrl !== undefined)) {
    throw new ConfigError('TEST_SIDE_OF needs SUPPLIERS=simulator, and no test side of its own.')
  }
  if ((apiUrl === undefined) !== (databaseUrl === undefined) && read.TEST_MODE !== 'on') {
    throw new ConfigError('TEST_API_URL and TEST_DATABASE_URL must be given together.')
  }
  checkDatabaseUrl('TEST_DATABASE_URL', databaseUrl)
  const testSide = apiUrl && databaseUrl ? { apiUrl: apiUrl.replace(/\/+$/, ''), databaseUrl } : undefined
  return { hasTestSide: read.TEST_MODE === 'on', testSide, testDatabaseUrl: databaseUrl, testSideOf }
}

function readSecretsKey(read: Environment): Config['secretsKey'] {
  if (read.SECRETS_KEY !== undefined && read.SECRETS_KEY_FILE !== undefined) {
    throw new ConfigError('SECRETS_KEY and SECRETS_KEY_FILE must not both be given.')
  }
  if (read.SECRETS_KEY !== undefined) return { base64: read.SECRETS_KEY }
  return read.SECRETS_KEY_FILE === undefined ? undefined : { file: resolve(read.SECRETS_KEY_FILE) }
}

/** The address for programs on this machine: our own certificate is for `localhost`, and nobody can call 0.0.0.0. */
function localUrl(read: Environment): string {
  const isLocal = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(read.HOST)
  const host = isLocal ? 'localhost' : isIP(read.HOST) === 6 ? `[${read.HOST}]` : read.HOST
  return `https://${host}:${read.PORT}`
}

/**
 * Reads the configuration; no other file of the server reads the environment.
 *
 * @throws ConfigError naming the first variable that is wrong
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const read = readEnvironment(environment)
  const isTerminal = isatty(1)
  return {
    databaseUrl: checkDatabaseUrl('DATABASE_URL', read.DATABASE_URL),
    readDatabaseUrl: checkDatabaseUrl('DATABASE_READ_URL', read.DATABASE_READ_URL, true),
    migrateDatabaseUrl: readMigrateDatabaseUrl(read),
    dataDir: resolve(read.DATA_DIR),
    archiveDir: resolve(read.ARCHIVE_DIR ?? join(read.DATA_DIR, 'archive')),
    host: read.HOST,
    port: read.PORT,
    tls: readTls(read),
    keyPrefix: read.KEY_PREFIX,
    secretsKey: readSecretsKey(read),
    suppliers: read.SUPPLIERS,
    simulatorUrl: read.SIMULATOR_URL?.replace(/\/+$/, ''),
    simulatorCallSeconds: read.SIMULATOR_CALL_SECONDS,
    demo: read.DEMO === undefined ? read.SUPPLIERS === 'simulator' : demoOn.some((word) => word === read.DEMO),
    hasDemoMonth: read.DEMO !== 'empty',
    ...readTestSide(read),
    logLevel: read.LOG_LEVEL,
    logFormat: read.LOG_FORMAT ?? (isTerminal ? 'text' : 'json'),
    hasColour: isTerminal && read.NO_COLOR === undefined,
    smtpUrl: read.SMTP_URL,
    isStaffTwoFactorNeeded: readStaffTwoFactor(read),
    publicUrl: read.PUBLIC_URL?.replace(/\/+$/, '') ?? localUrl(read),
    directory: readDirectory(read),
    tracedShare: readTracedShare(read),
    metrics: read.METRICS_PORT === undefined ? undefined : { host: read.METRICS_HOST, port: read.METRICS_PORT },
    // The processes share one count unless the operator decides otherwise, because a second process may be started on any
    // database, even on the embedded one.
    rateLimitStore: read.RATE_LIMIT_STORE ?? 'postgres',
  }
}

/** The user who called `sudo`, if any. */
export function readSudoUser(): string | undefined {
  const name = process.env['SUDO_USER']?.trim()
  return name === undefined || name === '' || name.length > 100 || /\p{C}/u.test(name) ? undefined : name
}

/** The environment for a child process: ours, with some variables set. */
export const childEnvironment = (added: Record<string, string | undefined>): NodeJS.ProcessEnv => ({ ...process.env, ...added })

/** True when npm started this process as a script. Such a process gets no signal when npm is killed. */
export function isRunByNpm(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment['npm_lifecycle_event'] !== undefined
}
