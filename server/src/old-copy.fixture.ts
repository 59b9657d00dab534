import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { makeAccount, makeKeyFor } from '../test/makers.ts'
import { patienceSeconds, patientCallSeconds } from '../test/patience.ts'
import { type RunningSimulator, startSimulator } from '../test/start-simulator.ts'
import { testPackages } from '../test/test-catalogue.ts'
import { startApi } from './api.ts'
import { migrateDatabase } from './commands/run/migrate-installation.ts'
import { watchHistory } from './commands/run/watch-history.ts'
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
  const { accountId } = await makeAccount(db, { balancePesewas: 100_000 })
  return { accountId, key: await makeKeyFor(db, accountId) }
}

export async function openOldShop(): Promise<OldShop> {
  const folder = await mkdtemp(join(tmpdir(), 'makola-old-copy-'))
  const dataDir = join(folder, 'data')
  const simulator = await startSimulator({ timeScale: 0.2 })
  const start = () => startEmbeddedPostgres({ dataDir, log: quiet })
  let server: EmbeddedPostgres = await start()
  await migrateDatabase(server.ownerUrl)
  const url = server.applicationUrl
  const wait = { connectTimeoutMilliseconds: patienceSeconds * 1_000 }
  const db = connectDatabase({ url, poolSize: 4, applicationName: 'test', ...wait })
  const { accountId, key } = await fill(db)
  const secretsKey = randomBytes(32).toString('base64')
  const processFolder = join(folder, 'processes')
  const configOf = () =>
    readConfig({
      DATA_DIR: processFolder,
      PORT: '0',
      SECRETS_KEY: secretsKey,
      SIMULATOR_URL: simulator.url,
      SIMULATOR_CALL_SECONDS: String(patientCallSeconds),
      RATE_LIMIT_STORE: 'memory',
    })
  const processes = new Set<Process>()

  /** As `run-role.ts` does. */
  async function open(role: string) {
    const config = configOf()
    const own: Db = connectDatabase({ url, poolSize: 10, applicationName: role, onConnect: (client) => history.meet(client) })
    const history = watchHistory(role, config, own, log)
    await history.begin()
    return { config, own, history }
  }

  function keep<P extends Process>(running: P): P {
    processes.add(running)
    return running
  }

  const shop: OldShop = {
    db,
    simulator,
    secretsKey,
    accountId,
    async startApi() {
      const { config, own, history } = await open('api')
      const api = await startApi({ config, database: { url }, log, history })
      const dispatcher = new Agent({ connect: { ca: await readFile(join(processFolder, 'tls', 'ca.pem')) } })
      const running: ApiProcess = {
        isHeld: () => history.isHeld(),
        async call(method, path, body) {
          const address = `https://localhost:${api.port}${path}`
          const headers = { authorization: key, ...(body && { 'content-type': 'application/json' }) }
          const answer = await request(address, { method, dispatcher, headers, ...(body && { body: JSON.stringify(body) }) })
          const { 'x-error-reason': reason, 'retry-after': retryAfter } = answer.headers as Record<string, string | undefined>
          return { status: answer.statusCode, reason, retryAfter, body: (await answer.body.json()) as Answer['body'] }
        },
        async stop() {
          processes.delete(running)
          history.stop()
          await api.close()
          await dispatcher.close()
          await own.destroy()
        },
      }
      return keep(running)
    },
    async startWorker() {
      const { config, own, history } = await open('worker')
      const worker = await startWorker(config, own, log, { history })
      const running: Process = {
        isHeld: () => history.isHeld(),
        async stop() {
          processes.delete(running)
          history.stop()
          await worker.stop()
          await own.destroy()
        },
      }
      return keep(running)
    },
    async copy() {
      await server.stop()
      await copyFolder(join(dataDir, 'postgres'), join(folder, 'copy'))
      server = await start()
    },
    stopServer: () => server.stop(),
    async killServer() {
      const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
      await server.stop()
    },
    async startServer() {
      server = await start()
    },
    async putCopyBack() {
      await rm(join(dataDir, 'postgres'), { recursive: true })
      await copyFolder(join(folder, 'copy'), join(dataDir, 'postgres'))
    },
    async close() {
      for (const process of processes) await process.stop()
      await db.destroy()
      await server.stop()
      await simulator.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return shop
}
