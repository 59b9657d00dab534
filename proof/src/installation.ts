import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { findFreePort } from '../../server/src/platform/find-free-port.ts'
import { type Client, type ClientOptions, openClient } from './client.ts'
import { type DatabaseServer, openDatabaseServer } from './database-server.ts'
import {
  type ApiProcess,
  commonEnvironment,
  describeApi,
  describeSimulator,
  describeWorker,
  type InstallationSettings,
  type ProcessOptions,
  type SimulatorProcess,
} from './describe-processes.ts'
import type { ManagedProcess } from './managed-process.ts'
import { type CommandResult, ownTree, runCommand } from './run-command.ts'
import { waitUntil } from './wait-until.ts'

/** A whole installation in a temporary folder. Every process is real and can be killed, paused and started again. */
export type Installation = {
  readonly dataDir: string
  readonly apis: readonly ApiProcess[]
  readonly workers: readonly ManagedProcess[]
  readonly simulator: SimulatorProcess
  readonly database: DatabaseServer
  startApi(options?: ProcessOptions): Promise<ApiProcess>
  startWorker(options?: ProcessOptions): Promise<ManagedProcess>
  /** Opens a client that speaks HTTPS and trusts only this installation's authority. */
  openClient(options?: Omit<ClientOptions, 'ca'>): Promise<Client>
  /** Runs `makola …` on this installation and returns the JSON it prints. Fails when the command does. */
  command<Result>(...words: string[]): Promise<Result>
  /** Like `command`, but returns the result also when the command fails. */
  tryCommand(...words: string[]): Promise<CommandResult>
  /**
   * Runs a statement as the owner of the tables. Opens a connection for it, because an earlier connection may have been killed.
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  connectAsOwner(): Promise<pg.Client>
  /** Resumes all paused processes, starts all dead ones, and waits until all serve. */
  heal(): Promise<void>
  /** The last lines of every log, for the report of a failure. */
  readLogs(): string
  /** Ends every process and removes the folder. */
  destroy(): Promise<void>
}

/** A database that the installation did not start. */
export type OtherDatabase = {
  /** `DATABASE_URL` and the key of the secrets, for every process. */
  readonly environment: Readonly<Record<string, string>>
  /** The login that owns the tables, for `makola migrate`. */
  readonly ownerUrl: string
  readonly connectAsOwner: () => Promise<pg.Client>
}

export type InstallationOptions = {
  /** Folder for the installation's files. Absent: the temporary folder, which may be in memory. */
  readonly folder?: string
  /** The folder of the version that is installed. A link may lead to another version later. Absent: this version. */
  readonly tree?: string
  readonly apis?: number
  readonly workers?: number
  /** A database in place of the embedded one. */
  readonly database?: OtherDatabase
  /** Variables of the simulator, see its README. */
  readonly simulator?: Readonly<Record<string, string>>
}

const logLinesShown = 30
const errorLinesShown = 5

/** The errors in a log and its last lines. */
function lastLines(managed: ManagedProcess): string {
  const lines = managed.log().trimEnd().split('\n')
  const errors = lines.filter((line) => line.includes('"level":"error"')).slice(-errorLinesShown)
  return [`--- ${managed.name}`, ...errors, '...', ...lines.slice(-logLinesShown)].join('\n')
}

async function connectAsOwner(database: DatabaseServer): Promise<pg.Client> {
  const { folder: host, port } = await database.socket()
  const connection = new pg.Client({ host, port, user: 'makola_owner', database: 'makola', connectionTimeoutMillis: 60_000 })
  connection.on('error', () => undefined)
  await connection.connect()
  return connection
}

async function commandOf<Result>(place: InstallationSettings, words: readonly string[]): Promise<Result> {
  const { exitCode, json, errors } = await runCommand(words, commonEnvironment(place), place.tree)
  if (exitCode !== 0) throw new Error(`makola ${words.join(' ')} ended with ${exitCode}: ${errors}`)
  return json as Result
}

/** The processes of an installation. More can be started at any time. */
type Fleet = { apis: ApiProcess[]; workers: ManagedProcess[]; simulator: SimulatorProcess; place: InstallationSettings }

async function startFleetApi(fleet: Fleet, options: ProcessOptions, port: number): Promise<ApiProcess> {
  const name = `api-${fleet.apis.length + 1}`
  const api = describeApi(fleet.place, name, port, options)
  fleet.apis.push(api)
  await api.start()
  return api
}

async function startFleetWorker(fleet: Fleet, options: ProcessOptions): Promise<ManagedProcess> {
  const worker = describeWorker(fleet.place, `worker-${fleet.workers.length + 1}`, options)
  fleet.workers.push(worker)
  await worker.start()
  return worker
}

function migrate(place: InstallationSettings, database: OtherDatabase | undefined): Promise<unknown> {
  const owner = database && { ...place, database: { ...database.environment, MIGRATE_DATABASE_URL: database.ownerUrl } }
  return commandOf(owner ?? place, ['migrate'])
}

async function startFleet(fleet: Fleet, options: InstallationOptions, firstPort: number): Promise<void> {
  await Promise.all([fleet.simulator.start(), migrate(fleet.place, options.database)])
  // The first API starts alone, because it seeds the demo's catalogue and the others would only wait for it.
  await startFleetApi(fleet, {}, firstPort)
  const otherPorts = await Promise.all(Array.from({ length: (options.apis ?? 2) - 1 }, () => findFreePort('127.0.0.1')))
  await Promise.all([
    ...otherPorts.map((port) => startFleetApi(fleet, {}, port)),
    ...Array.from({ length: options.workers ?? 2 }, () => startFleetWorker(fleet, {})),
  ])
}

const processesOf = ({ apis, workers, simulator }: Fleet) => [...apis, ...workers, simulator]

async function destroyFleet(fleet: Fleet, database: DatabaseServer, root: string): Promise<void> {
  await Promise.all(processesOf(fleet).map((each) => each.kill()))
  await database.destroy()
  // PROOF_KEEP=1 keeps logs and data for a look at them.
  if (process.env['PROOF_KEEP'] === undefined) await rm(root, { recursive: true, force: true })
}

/** Runs each statement over a connection of its own. */
function queryOver(connect: () => Promise<pg.Client>): Installation['query'] {
  return async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    const connection = await connect()
    try {
      return (await connection.query<Row>(text, [...values])).rows
    } finally {
      await connection.end().catch(() => undefined)
    }
  }
}

/** Starts an installation with the demo's catalogue: database, simulator, APIs and workers (two each by default). */
export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const root = await mkdtemp(join(options.folder ?? tmpdir(), 'makola-proof-'))
  // The port is chosen before the processes start, because the simulator sends its callbacks to it.
  const firstPort = await findFreePort('127.0.0.1')
  const publicUrl = `https://localhost:${firstPort}`
  const place = {
    dataDir: join(root, 'data'),
    logFolder: join(root, 'logs'),
    publicUrl,
    tree: options.tree ?? ownTree,
    ...(options.database && { database: options.database.environment }),
  }
  await mkdir(place.logFolder)
  const database = openDatabaseServer(place.dataDir)
  const callbacks = { SIMULATOR_CALLBACK_BASE_URL: publicUrl }
  const simulator = await describeSimulator(place, { ...callbacks, ...options.simulator })
  const fleet: Fleet = { apis: [], workers: [], simulator, place }
  const clients: Client[] = []
  const readLogs = () => processesOf(fleet).map(lastLines).join('\n')
  try {
    await startFleet(fleet, options, firstPort)
  } catch (error) {
    const logs = readLogs()
    await destroyFleet(fleet, database, root)
    throw new Error(`the installation did not start\n${logs}`, { cause: error })
  }

  const connect = options.database?.connectAsOwner ?? (() => connectAsOwner(database))
  const query = queryOver(connect)

  return {
    dataDir: place.dataDir,
    apis: fleet.apis,
    workers: fleet.workers,
    simulator,
    database,
    startApi: async (processOptions = {}) => startFleetApi(fleet, processOptions, await findFreePort('127.0.0.1')),
    startWorker: (processOptions = {}) => startFleetWorker(fleet, processOptions),
    async openClient(clientOptions = {}) {
      const client = openClient({ ca: await readFile(join(place.dataDir, 'tls', 'ca.pem'), 'utf8'), ...clientOptions })
      clients.push(client)
      return client
    },
    command: (...words) => commandOf(place, words),
    tryCommand: (...words) => runCommand(words, commonEnvironment(place), place.tree),
    query,
    connectAsOwner: connect,
    async heal() {
      await database.resume()
      for (const each of processesOf(fleet)) each.resume()
      await Promise.all(processesOf(fleet).map((each) => each.start()))
      await waitUntil('the database answers', async () => (await query('select 1')).length === 1)
    },
    readLogs,
    async destroy() {
      await Promise.all(clients.map((client) => client.close()))
      await destroyFleet(fleet, database, root)
    },
  }
}
