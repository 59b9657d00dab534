import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Client, openClient } from './client.ts'
import { type DatabaseServer, openDatabaseServer } from './database-server.ts'
import { findFreePort } from './find-free-port.ts'
import { type ManagedProcess, manageProcess } from './managed-process.ts'
import { type CommandResult, commandLineEntry, runCommand } from './run-command.ts'
import { waitUntil } from './wait-until.ts'

/** One process of the API, with the address that clients use. */
export type ApiProcess = ManagedProcess & { readonly url: string }

export type ProcessOptions = {
  /** In front of the database instead of the process's own way to it. */
  readonly databaseUrl?: string
  readonly clockShiftHours?: number
}

/** A whole installation in a temporary folder: every process real, everything to be killed. */
export type Installation = {
  readonly dataDir: string
  readonly apis: ApiProcess[]
  readonly workers: ManagedProcess[]
  readonly simulator: ManagedProcess & { readonly url: string }
  readonly database: DatabaseServer
  startApi(options?: ProcessOptions): Promise<ApiProcess>
  startWorker(options?: ProcessOptions): Promise<ManagedProcess>
  /** Opens a client that speaks HTTPS and trusts this installation's authority only. */
  client(options?: { connections?: number; patienceSeconds?: number }): Promise<Client>
  /** Runs `makola …` on this installation. Fails when the command does. */
  command(...words: string[]): Promise<unknown>
  /** The same, with whatever exit code. */
  tryCommand(...words: string[]): Promise<CommandResult>
  /** Reads the database as the owner of the tables. A connection per call: it may have been killed in the meantime. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Starts whatever is dead, resumes whatever is paused, and waits until all serve. */
  heal(): Promise<void>
  /** Ends every process and removes the folder; keeps the logs' last lines when asked to. */
  destroy(): Promise<void>
  /** The last lines of every log, for the report of a failure. */
  readLogs(): string
}

export type InstallationOptions = {
  readonly apis?: number
  readonly workers?: number
  /** For the simulator: see its README. */
  readonly simulator?: Readonly<Record<string, string>>
}

const simulatorEntry = fileURLToPath(new URL('../../simulator/src/simulator.ts', import.meta.url))
const shiftClockEntry = new URL('./shift-clock.ts', import.meta.url).href
const logLinesShown = 40

async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(1_000) })
  return response.ok
}

function lastLines(name: string, text: string): string {
  return `--- ${name}\n${text.trimEnd().split('\n').slice(-logLinesShown).join('\n')}`
}

/** Starts an installation: database, simulator, APIs and workers, with the demo's catalogue. */
export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const root = await mkdtemp(join(tmpdir(), 'makola-proof-'))
  const dataDir = join(root, 'data')
  await mkdir(join(root, 'logs'))
  const database = openDatabaseServer(dataDir)
  const apis: ApiProcess[] = []
  const workers: ManagedProcess[] = []
  const clients: Client[] = []
  const environment = { DATA_DIR: dataDir, LOG_LEVEL: 'info', RATE_LIMIT_STORE: 'postgres' }
  const logFile = (name: string) => join(root, 'logs', `${name}.log`)

  /** Behind a proxy the process does not know the embedded server, so it is told where the secrets' key is. */
  function environmentOf({ databaseUrl }: ProcessOptions): Record<string, string> {
    if (databaseUrl === undefined) return environment
    return { ...environment, DATABASE_URL: databaseUrl, SECRETS_KEY_FILE: join(dataDir, 'secrets.key') }
  }

  function wordsOf(role: string, { clockShiftHours }: ProcessOptions): { words: string[]; added: Record<string, string> } {
    const words = [commandLineEntry, role]
    if (clockShiftHours === undefined) return { words, added: {} }
    return { words: ['--import', shiftClockEntry, ...words], added: { CLOCK_SHIFT_HOURS: String(clockShiftHours) } }
  }

  async function startSimulator() {
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const simulator = manageProcess({
      name: 'simulator',
      words: [simulatorEntry],
      environment: { DATA_DIR: dataDir, LOG_LEVEL: 'info', SIMULATOR_PORT: String(port), ...options.simulator },
      logFile: logFile('simulator'),
      isReady: () => answersOk(`${url}/health`),
    })
    await simulator.start()
    return Object.assign(simulator, { url })
  }

  async function startApi(processOptions: ProcessOptions = {}, chosenPort?: number): Promise<ApiProcess> {
    const port = chosenPort ?? (await findFreePort())
    const name = `api-${apis.length + 1}`
    const { words, added } = wordsOf('api', processOptions)
    const api = manageProcess({
      name,
      words,
      environment: { ...environmentOf(processOptions), ...added, PORT: String(port) },
      logFile: logFile(name),
      isReady: (_child, hasSaidSo) => hasSaidSo,
    })
    const started = Object.assign(api, { url: `https://localhost:${port}` })
    apis.push(started)
    await started.start()
    return started
  }

  async function startWorker(processOptions: ProcessOptions = {}): Promise<ManagedProcess> {
    const name = `worker-${workers.length + 1}`
    const { words, added } = wordsOf('worker', processOptions)
    const worker = manageProcess({
      name,
      words,
      environment: { ...environmentOf(processOptions), ...added },
      logFile: logFile(name),
      isReady: (_child, hasSaidSo) => hasSaidSo,
    })
    workers.push(worker)
    await worker.start()
    return worker
  }

  const everyProcess = () => [...apis, ...workers, simulator]
  const readLogs = () => everyProcess().map((each) => lastLines(each.name, each.log())).join('\n')

  async function query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { folder, port } = await database.socket()
    const connection = new pg.Client({ host: folder, port, user: 'makola_owner', database: 'makola', connectionTimeoutMillis: 5_000 })
    connection.on('error', () => undefined)
    await connection.connect()
    try {
      return (await connection.query<Row>(text, [...values])).rows
    } finally {
      await connection.end().catch(() => undefined)
    }
  }

  async function tryCommand(...words: string[]): Promise<CommandResult> {
    return runCommand(words, environment)
  }

  async function command(...words: string[]): Promise<unknown> {
    const result = await tryCommand(...words)
    if (result.exitCode !== 0) throw new Error(`makola ${words.join(' ')} ended with ${result.exitCode}: ${result.errors}`)
    return result.json
  }

  async function heal(): Promise<void> {
    await database.resume().catch(() => undefined)
    for (const each of everyProcess()) each.resume()
    await Promise.all(everyProcess().map((each) => each.start()))
    await waitUntil('the database answers', 60, async () => (await query('select 1')).length === 1)
  }

  async function destroy(): Promise<void> {
    await Promise.all(clients.map((client) => client.close()))
    await Promise.all(everyProcess().map((each) => each.kill()))
    await database.destroy()
    if (process.env['PROOF_KEEP'] === undefined) await rm(root, { recursive: true, force: true })
  }

  // The first API's port is chosen before the simulator starts, which calls it back.
  const firstPort = await findFreePort()
  const simulator = await startSimulatorFor(`https://localhost:${firstPort}`)
  async function startSimulatorFor(callbackBaseUrl: string) {
    environment satisfies Record<string, string>
    options = { ...options, simulator: { SIMULATOR_CALLBACK_BASE_URL: callbackBaseUrl, ...options.simulator } }
    return startSimulator()
  }

  const installation: Installation = {
    dataDir,
    apis,
    workers,
    simulator,
    database,
    startApi: (processOptions) => startApi(processOptions),
    startWorker,
    async client(clientOptions = {}) {
      const ca = await readFile(join(dataDir, 'tls', 'ca.pem'), 'utf8')
      const client = openClient({ ca, ...clientOptions })
      clients.push(client)
      return client
    },
    command,
    tryCommand,
    query,
    heal,
    destroy,
    readLogs,
  }
  try {
    await command('migrate')
    await startApi({}, firstPort)
    const others = Array.from({ length: (options.apis ?? 2) - 1 }, () => startApi())
    await Promise.all([...others, ...Array.from({ length: options.workers ?? 2 }, () => startWorker())])
    return installation
  } catch (error) {
    const logs = readLogs()
    await destroy()
    throw new Error(`the installation did not start\n${logs}`, { cause: error })
  }
}
