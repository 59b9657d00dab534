import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { makeAccount, makeKeyFor } from '../test/make-account.ts'
import { patienceSeconds, patientCallSeconds } from '../test/patience.ts'
import { type RunningSimulator, startSimulator } from '../test/start-simulator.ts'
import { testPackages } from '../test/test-catalogue.ts'
import { startApi } from './api.ts'
import { migrateDatabase } from './commands/run/migrate-installation.ts'
import { watchHistory } from './commands/run/run-role.ts'
import { readConfig } from './config.ts'
import { connectDatabase, type Db } from './platform/database/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { inTransaction } from './platform/database/in-transaction.ts'
import { writePackages } from './products/data/catalogue/write-packages.ts'
import { seedSimulatedSuppliers } from './suppliers/registry/seed-simulated-suppliers.ts'
import { startWorker } from './worker.ts'

const log = pino({ level: 'silent' })
/** Keeps the owners of the files: the server may run as another user. */
const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to])

const quiet = { info: () => undefined, warn: () => undefined }

export type Answer = {
  status: number
  reason: string | undefined
  retryAfter: string | undefined
  body: { data?: Record<string, unknown> }
}

export type Process = { isHeld(): boolean; stop(): Promise<void> }
export type ApiProcess = Process & { call(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> }

/** A shop on an embedded server of its own, whose folder can be put back to an older copy. */
export type OldShop = {
  readonly db: Db
  readonly simulator: RunningSimulator
  readonly secretsKey: string
  readonly accountId: string
  startApi(): Promise<ApiProcess>
  startWorker(): Promise<Process>
  /** Copies the folder of the stopped server, and starts it again. */
  copy(): Promise<void>
  stopServer(): Promise<void>
  /** Ends the server as a power cut would. */
  killServer(): Promise<void>
  startServer(): Promise<void>
  /** Puts the copy in the place of the stopped server's folder. */
  putCopyBack(): Promise<void>
  close(): Promise<void>
}

async function fill(db: Db): Promise<{ accountId: string; key: string }> {
  await inTransaction(db, async (tx) => {
    await seedSimulatedSuppliers(tx)
    await writePackages(tx, testPackages, { isBelowCostAllowed: false })
  })
  const { accountId } = await makeAccount(db, { balancePesewas: 1_000_000 })
  return { accountId, key: await makeKeyFor(db, accountId) }
}

/** The folder of a shop, and how its processes reach the database and the simulator. */
type Place = { readonly folder: string; readonly url: string; readonly simulatorUrl: string; readonly secretsKey: string }

/** Opens the pool and the watch of a process, as `run-role.ts` does. */
async function openRole(role: string, { folder, url, simulatorUrl, secretsKey }: Place) {
  const config = readConfig({
    DATA_DIR: join(folder, 'processes'),
    PORT: '0',
    SECRETS_KEY: secretsKey,
    SIMULATOR_URL: simulatorUrl,
    SIMULATOR_CALL_SECONDS: String(patientCallSeconds),
    RATE_LIMIT_STORE: 'memory',
  })
  const db: Db = connectDatabase({
    url,
    poolSize: 10,
    applicationName: role,
    onConnect: (client) => history.compareConnection(client),
  })
  const history = watchHistory(role, config, db, log)
  await history.begin()
  return { config, db, history }
}

async function openApi(place: Place, key: string): Promise<ApiProcess> {
  const { config, db, history } = await openRole('api', place)
  const api = await startApi({ config, database: { url: place.url }, log, history })
  const dispatcher = new Agent({ connect: { ca: await readFile(join(config.dataDir, 'tls', 'ca.pem')) } })
  return {
    isHeld: () => history.isSalesStopped(),
    async call(method, path, body) {
      const address = `https://localhost:${api.port}${path}`
      const headers = { authorization: key, ...(body && { 'content-type': 'application/json' }) }
      const answer = await request(address, { method, dispatcher, headers, ...(body && { body: JSON.stringify(body) }) })
      const { 'x-error-reason': reason, 'retry-after': retryAfter } = answer.headers as Record<string, string | undefined>
      return { status: answer.statusCode, reason, retryAfter, body: (await answer.body.json()) as Answer['body'] }
    },
    async stop() {
      history.stop()
      await api.close()
      await dispatcher.close()
      await db.destroy()
    },
  }
}

async function openWorker(place: Place): Promise<Process> {
  const { config, db, history } = await openRole('worker', place)
  const worker = await startWorker(config, db, log, { history })
  return {
    isHeld: () => history.isSalesStopped(),
    async stop() {
      history.stop()
      await worker.stop()
      await db.destroy()
    },
  }
}

async function openServer(folder: string) {
  const data = join(folder, 'data', 'postgres')
  const start = () => startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: quiet })
  let server: EmbeddedPostgres = await start()
  return {
    urls: { owner: server.ownerUrl, application: server.applicationUrl },
    async copy() {
      await server.stop()
      await copyFolder(data, join(folder, 'copy'))
      server = await start()
    },
    stopServer: () => server.stop(),
    async killServer() {
      const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
      await server.stop()
    },
    async startServer() {
      server = await start()
    },
    async putCopyBack() {
      await rm(data, { recursive: true })
      await copyFolder(join(folder, 'copy'), data)
    },
  }
}

export async function openOldShop(): Promise<OldShop> {
  const folder = await mkdtemp(join(tmpdir(), 'makola-old-copy-'))
  const simulator = await startSimulator({ timeScale: 0.2 })
  const { urls, ...server } = await openServer(folder)
  await migrateDatabase(urls.owner)
  const url = urls.application
  const connectTimeoutMilliseconds = patienceSeconds * 1_000
  const db = connectDatabase({ url, poolSize: 4, applicationName: 'test', connectTimeoutMilliseconds })
  const { accountId, key } = await fill(db)
  const secretsKey = randomBytes(32).toString('base64')
  const place = { folder, url, simulatorUrl: simulator.url, secretsKey }
  const processes = new Set<Process>()

  /** Keeps a process, to end it with the shop unless the test ends it. */
  function keep<P extends Process>(opened: P): P {
    const stop = () => (processes.delete(kept) ? opened.stop() : Promise.resolve())
    const kept = { ...opened, stop }
    processes.add(kept)
    return kept
  }

  return {
    ...server,
    db,
    simulator,
    secretsKey,
    accountId,
    startApi: async () => keep(await openApi(place, key)),
    startWorker: async () => keep(await openWorker(place)),
    async close() {
      for (const each of processes) await each.stop()
      await db.destroy()
      await server.stopServer()
      await simulator.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
