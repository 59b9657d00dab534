import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { patienceSeconds } from '../../test/patience.ts'
import { type RunningSimulator, startSimulator } from '../../test/start-simulator.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { writeSupplier } from '../../test/write-secrets.ts'
import { type Epoch, watchEpoch } from '../platform/database/epoch.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { SecretUnreadableError } from '../platform/secrets/seal-secret.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { simulatedTimesWith } from './calling/supplier-times.ts'
import type { PlatformCause, SupplierRegistry } from './ports.ts'
import { listSuppliers } from './registry/list-suppliers.ts'
import { loadSuppliers, type SupplierDeps } from './registry/load-suppliers.ts'
import { readSupplierChange } from './registry/read-supplier-change.ts'
import { seedSimulatedSuppliers } from './registry/seed-simulated-suppliers.ts'
import { loadRoutes } from './routes/load-routes.ts'
import { probePausedRoutes } from './routes/probe-paused-routes.ts'
import { readRoutes } from './routes/read-routes.ts'
import { reportPlatformRejection } from './routes/report-platform-rejection.ts'
import { addRoute, pauseRoutesByHand, resumeRoutesByHand } from './routes/write-route.ts'

const log = pino({ level: 'silent' })
const secretsKeys = parseSecretsKeys(randomBytes(32).toString('base64'), 'test')
const mtn = 'datamart/data/MTN'
const patience = () => AbortSignal.timeout(patienceSeconds * 1_000)

let database: TestDatabase
let epoch: Epoch
let simulator: RunningSimulator

beforeAll(async () => {
  database = await createTestDatabase()
  epoch = await watchEpoch(database.db)
  simulator = await startSimulator()
})
beforeEach(async () => {
  await database.ownerDb.deleteFrom('routes').execute()
  await database.ownerDb.deleteFrom('suppliers').execute()
  await database.ownerDb.deleteFrom('alarms').execute()
  await inTransaction(database.db, seedSimulatedSuppliers)
})
afterEach(() => simulator.reset())
afterAll(async () => {
  epoch.stop()
  await simulator.stop()
  await database.drop()
})

type TestConfig = Omit<SupplierDeps['config'], 'publicUrl'>

function depsFor(config: TestConfig): SupplierDeps {
  return { db: database.db, epoch, log, config: { ...config, publicUrl: 'https://makola.test' }, secretsKeys }
}

/** No answer is lost because the machine is busy: the usual second would be too short for that. */
const simulatorCallSeconds = patienceSeconds

const simulated = (): TestConfig => ({
  suppliers: 'simulator',
  simulatorUrl: simulator.url,
  dataDir: simulator.dataDir,
  simulatorCallSeconds,
})

async function openRegistry(config = simulated()): Promise<SupplierRegistry> {
  const registry = await loadSuppliers(depsFor(config))
  onTestFinished(() => registry.stop())
  return registry
}

async function routeHealth(name: string) {
  return (await readRoutes(database.db)).find((route) => route.name === name)?.health
}

const openAlarms = () =>
  database.db.selectFrom('alarms').select(['name', 'subject']).where('cleared_at', 'is', null).orderBy('subject').execute()

describe('the registry of suppliers', () => {
  it('opens the demo’s suppliers at the simulator', async () => {
    const registry = await openRegistry()
    expect(registry.list().map(({ name }) => name)).toEqual(expect.arrayContaining(['datakazina', 'datamart']))
    const float = await registry.find('datamart')?.readFloat(patience())
    expect(float).toMatchObject({ meaning: 'read' })
    expect(registry.find('constructor')).toBeUndefined()
  })

  it('waits for the simulator’s answers a second, or as long as it is told', async () => {
    const askFloat = async (seconds?: number) => {
      const registry = await openRegistry({ ...simulated(), simulatorCallSeconds: seconds })
      return registry.find('datamart')?.readFloat(patience())
    }
    // A process that stood still meanwhile would take a late answer as in time.
    await simulator.control({ datamart: { outage: 'hang' } })
    expect(await askFloat()).toMatchObject({ meaning: 'unknown' })
    expect(simulatedTimesWith(undefined).timeouts.callSeconds).toBe(1)
    await simulator.control({ datamart: { outage: 'none', answerMilliseconds: 1_500 } })
    expect(await askFloat(patienceSeconds)).toMatchObject({ meaning: 'read' })
  })

  it('finds the simulator by its file, and again when it has come back on another port', async () => {
    const first = await startSimulator()
    const registry = await openRegistry({ ...simulated(), simulatorUrl: undefined, dataDir: first.dataDir })
    const before = registry.find('datamart')
    expect(await before?.readFloat(patience())).toMatchObject({ meaning: 'read' })
    await first.stop()
    await expect.poll(() => registry.find('datamart')).toBeUndefined()
    const second = await startSimulator({ dataDir: first.dataDir })
    onTestFinished(() => second.stop())
    await expect.poll(() => registry.find('datamart')).toBeDefined()
    expect(await registry.find('datamart')?.readFloat(patience())).toMatchObject({ meaning: 'read' })
  })

  it('keeps a supplier open while others change, and opens it anew when its own row does', async () => {
    const registry = await openRegistry()
    const before = registry.find('datamart')
    await addRoute(database.db, { supplier: 'datamart', product: 'data', network: 'MTN' }, 50, 'test')
    await registry.refresh()
    expect(registry.find('datamart')).toBe(before)
    await writeSupplier(database.db, secretsKeys, 'datamart', { slots: 3 }, 'test')
    await expect.poll(() => registry.find('datamart')?.freeSlots()).toBe(3)
    expect(registry.find('datamart')).not.toBe(before)
  })

  it('uses address and sealed credentials of its row when live', async () => {
    const config = { suppliers: 'live', simulatorUrl: undefined, dataDir: simulator.dataDir } as const
    const registry = await openRegistry(config)
    expect(registry.find('datamart')).toBeUndefined()
    const change = readSupplierChange([
      `base_url=${simulator.url}/datamart`,
      'credentials.apiKey=simulated-datamart-key',
      'webhookSecret=simulated-datamart-secret',
    ])
    await writeSupplier(database.db, secretsKeys, 'datamart', change, 'test')
    await registry.refresh()
    expect(await registry.find('datamart')?.readFloat(patience())).toMatchObject({ meaning: 'read' })
    const row = await database.db
      .selectFrom('suppliers')
      .select('credentials')
      .where('name', '=', 'datamart')
      .executeTakeFirstOrThrow()
    expect(row.credentials).not.toContain('simulated-datamart')
    const logged = await database.ownerDb.selectFrom('operator_log').select('details').execute()
    expect(JSON.stringify(logged)).not.toContain('simulated-datamart')
    const listed = (await listSuppliers(database.db, secretsKeys)).find(({ name }) => name === 'datamart')
    expect(listed).toMatchObject({ credentials_set: ['apiKey', 'webhookSecret'], credentials_missing: [] })
    expect(JSON.stringify(listed)).not.toContain('simulated-datamart-')
  })
})

describe('what an operator sets about a supplier', () => {
  it.each([
    [['slots=0'], /whole number/],
    [['slots'], /key=value/],
    [['enabled=perhaps'], /true or false/],
    [['base_url=http://api.example.com'], /https/],
    [['base_url=https://user:word@api.example.com'], /without user/],
    [['requests_per_second=fast'], /whole number/],
    [['colour=blue'], /not a key/],
    [[], /Say what to set/],
  ])('is refused when it is %j', (words, message) => {
    expect(() => readSupplierChange(words)).toThrow(message)
  })

  it('never repeats a word that may be a secret', () => {
    expect(() => readSupplierChange(['hunter2'])).toThrow(/^(?!.*hunter2)/s)
  })

  it('is refused when the adapter does not know it, and then changes nothing', async () => {
    const write = (words: string[]) => writeSupplier(database.db, secretsKeys, 'datamart', readSupplierChange(words), 'test')
    await expect(write(['settings.colour=blue'])).rejects.toThrow(/settings of a DataMart supplier/)
    await expect(write(['settings.minimumFloatGhs=1e300'])).rejects.toThrow(/minimumFloatGhs/)
    await expect(write(['base_url=smpp://smsc.example.com:2775'])).rejects.toThrow(/base_url must begin with https/)
    for (const address of ['https://smsc.example.com', 'smpp://smsc.example.com/path']) {
      const link = readSupplierChange(['adapter=smpp', `base_url=${address}`])
      await expect(writeSupplier(database.db, secretsKeys, 'link', link, 'test')).rejects.toThrow(/base_url must be smpp/)
    }
    await expect(write(['credentials.pin=1', 'slots=2'])).rejects.toThrow(/has no credential pin/)
    await expect(writeSupplier(database.db, secretsKeys, 'nobody', { slots: 2 }, 'test')).rejects.toThrow(/no adapter "nobody"/)
    const row = await database.db.selectFrom('suppliers').select('slots').where('name', '=', 'datamart').executeTakeFirstOrThrow()
    expect(row.slots).toBe(64)
  })

  it('replaces all credentials also where no key of ours opens the stored ones, and one alone only where a key does', async () => {
    const write = (words: string[]) => writeSupplier(database.db, secretsKeys, 'datamart', readSupplierChange(words), 'test')
    await sql`update suppliers set credentials = 'v1.lost.aaaa' where name = 'datamart'`.execute(database.ownerDb)
    await expect(write(['credentials.apiKey=new'])).rejects.toThrow(SecretUnreadableError)
    await write(['credentials.apiKey=new', 'credentials.webhookSecret=newer'])
    const listed = (await listSuppliers(database.db, secretsKeys)).find(({ name }) => name === 'datamart')
    expect(listed).toMatchObject({ credentials_set: ['apiKey', 'webhookSecret'] })
  })

  it('changes single settings and takes an empty one away', async () => {
    const write = (words: string[]) => writeSupplier(database.db, secretsKeys, 'datamart', readSupplierChange(words), 'test')
    await write(['settings.minimumFloatGhs=20', 'settings.gateway=wallet'])
    await write(['settings.gateway='])
    const row = await database.db
      .selectFrom('suppliers')
      .select('settings')
      .where('name', '=', 'datamart')
      .executeTakeFirstOrThrow()
    expect(row.settings).toEqual({ networks: { 'AT-BigTime': 'AT_BIGTIME' }, minimumFloatGhs: 20 })
  })
})

describe('the choice of a route', () => {
  it('is the open route with the lowest number, else the lowest of all, and follows within a second', async () => {
    await writeSupplier(database.db, secretsKeys, 'second', { adapter: 'datamart' }, 'test')
    await addRoute(database.db, { supplier: 'second', product: 'data', network: 'MTN' }, 20, 'test')
    await database.ownerDb.deleteFrom('routes').where('supplier', 'in', ['datakazina', 'hubtel']).execute()
    const routes = await loadRoutes({ db: database.db, epoch, log })
    onTestFinished(() => routes.stop())
    expect(routes.choose('data', 'MTN')).toBe(mtn)
    expect(routes.choose('data', 'Nowhere')).toBeUndefined()
    expect(routes.listNext('data', 'MTN', [mtn]).map(({ name }) => name)).toEqual(['second/data/MTN'])
    await pauseRoutesByHand(database.db, { supplier: 'datamart' }, { reason: 'prices', seconds: null }, 'test')
    await expect.poll(() => routes.choose('data', 'MTN')).toBe('second/data/MTN')
    expect(routes.choose('data', 'Telecel')).toBe('datamart/data/Telecel')
    await writeSupplier(database.db, secretsKeys, 'second', { isEnabled: false }, 'test')
    await expect.poll(() => routes.choose('data', 'MTN')).toBe(mtn)
    expect(routes.listNext('data', 'MTN', [])).toEqual([])
    await resumeRoutesByHand(database.db, { supplier: 'datamart' }, 'test')
    await expect.poll(() => routes.find(mtn)?.health.state).toBe('open')
  })

  it('names what there is when a route is not known', async () => {
    const unknown = { supplier: 'datamart', product: 'data', network: 'Nowhere' }
    await expect(addRoute(database.db, unknown, 1, 'test')).rejects.toThrow(/there is: .*data\/MTN/)
    await expect(addRoute(database.db, { ...unknown, supplier: 'x' }, 1, 'test')).rejects.toThrow(/there is: .*datamart/)
    await expect(resumeRoutesByHand(database.db, unknown, 'test')).rejects.toThrow(/There is no route "datamart\/data\/Nowhere"/)
  })
})

describe('the health of a route', () => {
  let registry: SupplierRegistry
  beforeEach(async () => {
    registry = await loadSuppliers(depsFor(simulated()))
  })
  afterEach(() => registry.stop())

  const lines: string[] = []
  const kept = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const report = (orderId: string, cause: PlatformCause = 'float', route = mtn) =>
    reportPlatformRejection({ db: database.db, registry, log: kept }, { route, orderId, cause })
  const probe = () => probePausedRoutes({ db: database.db, registry, log })
  const letTimePass = () =>
    database.ownerDb
      .updateTable('routes')
      .set({ paused_until: new Date(0) })
      .where('paused_until', 'is not', null)
      .execute()

  it('is left alone by one order that is refused, however often, while the balance read shows money, and logs it once', async () => {
    const orderId = newId()
    lines.length = 0
    for (let time = 0; time < 5; time += 1) expect(await report(orderId)).toEqual([])
    expect(lines).toHaveLength(1)
    expect(await report(orderId, 'auth')).toEqual([])
    expect(lines).toHaveLength(2)
    expect(await report(newId())).toEqual([])
    expect(await routeHealth(mtn)).toEqual({ state: 'open' })
  })

  it('ends with three distinct orders within a minute, and comes back with the next good balance read', async () => {
    await epoch.refresh()
    const versionBefore = epoch.current()?.catalogueVersion ?? 0
    await report(newId())
    await report(newId())
    expect(await report(newId())).toEqual([mtn])
    expect(await routeHealth(mtn)).toMatchObject({ state: 'paused', reason: 'float' })
    expect(await routeHealth('datamart/data/Telecel')).toEqual({ state: 'open' })
    expect(await openAlarms()).toEqual([{ name: 'route_paused', subject: mtn }])
    expect(await probe()).toEqual([])
    await letTimePass()
    expect(await probe()).toEqual([mtn])
    expect(await routeHealth(mtn)).toEqual({ state: 'open' })
    expect(await openAlarms()).toEqual([])
    await epoch.refresh()
    expect(epoch.current()?.catalogueVersion).toBe(versionBefore + 2)
    // Refusals from before the route was opened do not count.
    expect(await report(newId())).toEqual([])
  })

  it('does not count refusals that are older than a minute', async () => {
    await report(newId())
    await report(newId())
    await database.ownerDb
      .updateTable('route_refusals')
      .set({ refused_at: new Date(Date.now() - 61_000) })
      .execute()
    expect(await report(newId())).toEqual([])
  })

  it('does not keep refusals that are older than a day', async () => {
    for (const order of [newId(), newId()]) await report(order)
    await database.ownerDb
      .updateTable('route_refusals')
      .set({ refused_at: new Date(Date.now() - 86_401_000) })
      .execute()
    const orderId = newId()
    await report(orderId)
    const kept = await database.db.selectFrom('route_refusals').select('order_id').execute()
    expect(kept).toEqual([{ order_id: orderId }])
  })

  it('pauses every route of a supplier whose balance read confirms an empty float', async () => {
    await writeSupplier(database.db, secretsKeys, 'datamart', readSupplierChange(['settings.minimumFloatGhs=999999999']), 'test')
    await registry.refresh()
    expect(await report(newId())).toHaveLength(4)
    await letTimePass()
    expect(await probe()).toEqual([])
    expect(await routeHealth(mtn)).toMatchObject({ state: 'paused', reason: 'float' })
    await writeSupplier(database.db, secretsKeys, 'datamart', readSupplierChange(['settings.minimumFloatGhs=']), 'test')
    await registry.refresh()
    await letTimePass()
    expect(await probe()).toHaveLength(4)
    const listed = (await listSuppliers(database.db, secretsKeys)).find(({ name }) => name === 'datamart')
    expect(listed?.float).toBeGreaterThan(1_000)
  })

  it.each([
    { outage: 'unauthorised', reason: 'auth' },
    { outage: 'disabled', reason: 'disabled' },
  ])('pauses every route when the balance read is $outage too', async ({ outage, reason }) => {
    await simulator.control({ datamart: { outage } })
    expect(await report(newId(), 'auth')).toHaveLength(4)
    expect(await routeHealth(mtn)).toMatchObject({ state: 'paused', reason })
    await letTimePass()
    expect(await probe()).toEqual([])
    await simulator.control({ datamart: { outage: 'none' } })
    await letTimePass()
    expect(await probe()).toHaveLength(4)
  })

  it('is not judged by a balance read that cannot be made', async () => {
    await simulator.control({ datamart: { outage: 'error' } })
    expect(await report(newId())).toEqual([])
  })

  it('pauses once when many orders are refused at once', async () => {
    const paused = await Promise.all(Array.from({ length: 20 }, () => report(newId())))
    expect(paused.flat()).toEqual([mtn])
    expect(await openAlarms()).toHaveLength(1)
  })

  it.each(['none', 'error'])('stays as a person set it while its supplier is probed (outage: %s)', async (outage) => {
    for (let time = 0; time < 3; time += 1) await report(newId())
    await letTimePass()
    await simulator.control({ datamart: { outage } })
    const one = { supplier: 'datamart', product: 'data', network: 'MTN' }
    const pausedDuringProbe: SupplierRegistry['find'] = (name) => {
      const supplier = registry.find(name)
      if (!supplier) return supplier
      const readFloat: typeof supplier.readFloat = async (signal) => {
        await pauseRoutesByHand(database.db, one, { reason: 'prices', seconds: 3_600 }, 'test')
        return supplier.readFloat(signal)
      }
      return { ...supplier, readFloat }
    }
    expect(await probePausedRoutes({ db: database.db, registry: { ...registry, find: pausedDuringProbe }, log })).toEqual([])
    expect(await routeHealth(mtn)).toMatchObject({ state: 'paused', reason: 'operator: prices' })
    const { rows } = await sql<{ is_kept: boolean }>`
      select probed_at is null and paused_until > paused_at + interval '59 minutes' as is_kept from routes
      where state = 'paused'`.execute(database.db)
    expect(rows).toEqual([{ is_kept: true }])
  })

  it('stays as a person set it: no probe opens it before its time, and time alone opens it', async () => {
    await pauseRoutesByHand(database.db, { supplier: 'datamart' }, { reason: 'float', seconds: null }, 'test')
    expect(await probe()).toEqual([])
    expect(await routeHealth(mtn)).toEqual({ state: 'paused', reason: 'operator: float', until: null })
    await simulator.control({ datamart: { outage: 'error' } })
    const one = { supplier: 'datamart', product: 'data', network: 'MTN' }
    await pauseRoutesByHand(database.db, one, { reason: '', seconds: 600 }, 'test')
    expect(await probe()).toEqual([])
    await letTimePass()
    expect(await probe()).toEqual([mtn])
    const logged = await database.ownerDb
      .selectFrom('operator_log')
      .select('subject')
      .where('action', '=', 'route pause')
      .execute()
    expect(logged.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['datamart', mtn]))
  })
})
