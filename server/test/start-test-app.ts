import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { Agent, request as send } from 'undici'
import { type RunningApi, startApi } from '../src/api.ts'
import { readConfig } from '../src/config.ts'
import type { Db } from '../src/platform/database/database.ts'
import { inTransaction } from '../src/platform/database/in-transaction.ts'
import type { HttpLimits } from '../src/platform/http/listener/http-limits.ts'
import { writePackages } from '../src/products/data/catalogue/write-packages.ts'
import type { Product } from '../src/products/product.ts'
import { seedSimulatedSuppliers } from '../src/suppliers/registry/seed-simulated-suppliers.ts'
import { makeAccount, makeKeyFor } from './make-account.ts'
import { validateResponsesAgainst } from './servers/validate-response.ts'
import { testPackages } from './test-catalogue.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** An answer of the API, its body read and checked against the OpenAPI document. */
export type Answer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  // Bodies have many shapes, and each test checks the part that it is about.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export type CallOptions = {
  key?: string
  body?: unknown
  /** Sent as it is, in place of `body`. */
  rawBody?: string
  headers?: Record<string, string>
}

/** An API in the process of the test. */
export type TestApi = {
  url: string
  api: RunningApi
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  close(): Promise<void>
}

export type TestApp = TestApi & {
  database: TestDatabase
  dataDir: string
  /** Starts another API on the same database. It is closed with the app. */
  startAnother(options?: OwnOptions): Promise<TestApi>
  /** Waits until every API of the database has seen what was changed in it: settings, prices, keys, accounts, routes. */
  untilSeen(): Promise<void>
  /**
   * Makes an account with money and a key of the type `standard`. The account is an agent unless `options` names
   * another role.
   */
  makeReseller(options?: Parameters<typeof makeAccount>[1]): Promise<{ accountId: string; key: string }>
}

/** What each API on a database may have of its own. */
type OwnOptions = {
  /** Other limits than those of production. */
  limits?: Partial<HttpLimits> | undefined
  /** The way to the database, such as through a proxy; the straight one if left out. */
  databaseUrl?: string | undefined
  /** True: lists are read over sessions that cannot write, as those of a standby cannot. */
  hasReplica?: boolean | undefined
}

type StartOptions = OwnOptions & {
  simulatorUrl: string
  simulatorCallSeconds?: number | undefined
  port?: number | undefined
  products?: readonly Product[] | undefined
  isStaffTwoFactorNeeded?: boolean | undefined
  /** Further variables of the environment. */
  environment?: Readonly<Record<string, string>> | undefined
  log?: Logger | undefined
}

/** By what is sold, on which the document depends: to derive it and to compile its schemas costs more than most tests. */
const validators = new Map<readonly Product[] | undefined, ReturnType<typeof validateResponsesAgainst>>()

async function startOne(database: TestDatabase, dataDir: string, options: StartOptions): Promise<TestApi> {
  const { simulatorUrl, simulatorCallSeconds, port = 0, products, isStaffTwoFactorNeeded = true } = options
  const { log = pino({ level: 'silent' }) } = options
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    SIMULATOR_URL: simulatorUrl,
    ...(simulatorCallSeconds && { SIMULATOR_CALL_SECONDS: String(simulatorCallSeconds) }),
    RATE_LIMIT_STORE: 'memory',
    ...(options.hasReplica && {
      DATABASE_READ_URL: `${database.applicationUrl}&options=-c%20default_transaction_read_only%3Don`,
    }),
    STAFF_TWO_FACTOR: isStaffTwoFactorNeeded ? 'on' : 'off',
    ...options.environment,
  })
  const api = await startApi({
    config,
    database: { url: options.databaseUrl ?? database.applicationUrl },
    log,
    limits: options.limits,
    ...(products && { products }),
  })
  const dispatcher = new Agent({ connect: { ca: await readFile(join(dataDir, 'tls', 'ca.pem')) } })
  const url = `https://localhost:${api.port}`
  const validateResponse = validators.get(products) ?? validateResponsesAgainst(api.app.swagger())
  validators.set(products, validateResponse)
  return {
    url,
    api,
    async call(method, path, options = {}) {
      const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
      const response = await send(`${url}/api/v2${path}`, {
        method: method as 'GET',
        dispatcher,
        headers: {
          ...(options.key === undefined ? {} : { authorization: options.key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(body === undefined ? {} : { body }),
      })
      const text = await response.body.text()
      const answer = { status: response.statusCode, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
      validateResponse({ method, path: `/api/v2${path}`, ...answer })
      return answer
    },
    async close() {
      await Promise.all([api.close(), dispatcher.close()])
    },
  }
}

type TestAppOptions = Partial<StartOptions> & {
  database?: TestDatabase | undefined
  dataDir?: string | undefined
  fill?: ((db: Db, dataDir: string) => Promise<unknown>) | undefined
}

async function fillWithCatalogue(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await seedSimulatedSuppliers(tx)
    await writePackages(tx, testPackages, { isBelowCostAllowed: false })
  })
}

/**
 * Starts the real API over HTTPS on a database of its own, with the simulated suppliers and `testPackages`, and no
 * worker: orders stay as they were placed.
 * @param options.database is dropped when the app closes; a new one if left out
 * @param options.simulatorUrl where suppliers are reached; without it none can be
 * @param options.simulatorCallSeconds how long a call to them may take; a second if left out
 * @param options.port where callbacks come to; any free port if left out
 * @param options.products what it sells; all products if left out
 * @param options.isStaffTwoFactorNeeded whether the staff need a second factor; they do if left out
 * @param options.log what it writes its log to; nowhere if left out
 * @param options.dataDir a folder shared with the simulator, which then trusts this API; a folder of its own if left
 * out
 * @param options.fill writes what is in the database; suppliers and packages if left out
 */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const simulatorUrl = options.simulatorUrl ?? 'http://127.0.0.1:9'
  const database = options.database ?? (await createTestDatabase())
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'makola-test-')))
  await (options.fill ?? fillWithCatalogue)(database.db, dataDir)
  const first = await startOne(database, dataDir, { ...options, simulatorUrl })
  const others: TestApi[] = []
  return {
    ...first,
    database,
    dataDir,
    async startAnother(own) {
      const another = await startOne(database, dataDir, { ...options, simulatorUrl, port: undefined, ...own })
      others.push(another)
      return another
    },
    async untilSeen() {
      await Promise.all([first, ...others].map(({ api }) => api.refresh()))
    },
    async makeReseller(options = {}) {
      const { accountId } = await makeAccount(database.db, { balancePesewas: 100_000, ...options })
      return { accountId, key: await makeKeyFor(database.db, accountId) }
    },
    async close() {
      await Promise.all([first, ...others].map((one) => one.close()))
      await database.drop()
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}
