import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSignedInStaff } from '../test/create-signed-in-staff.ts'
import { openBrowser, type TestBrowser } from '../test/open-browser.ts'
import { retryWhileBusy } from '../test/retry-while-busy.ts'
import { openTcpProxy, type TcpProxy } from '../test/servers/tcp-proxy.ts'
import { setUpPeople } from '../test/set-up-people.ts'
import type { Answer, TestApi } from '../test/start-test-app.ts'
import { listRoutes, nameOfRoute } from './list-routes.fixture.ts'
import { inTransaction } from './platform/database/in-transaction.ts'

/** The time-out of a client that relies on the documentation. */
const promisedMilliseconds = 10_000

/**
 * The limit of the API in this test, much shorter than promised, so that a slow machine keeps the promise too. The database
 * stands still until all are answered.
 */
const answerMilliseconds = 2_000

let proxy: TcpProxy
// Registered first, so it runs last: by then the APIs have closed their connections to the proxy.
afterAll(() => proxy.close())
const shop = setUpPeople()
let api: TestApi
let reseller: { key: string }
const browsers = {} as Record<'app' | 'desk', TestBrowser>

/** The socket of the server that the test's database is on. */
function socketOf(url: URL): string {
  return join(url.searchParams.get('host') ?? '', `.s.PGSQL.${url.port || 5432}`)
}

/** Opens a browser with the session of the same person, at the API behind the proxy. */
async function moveOver(browser: TestBrowser): Promise<TestBrowser> {
  const moved = await openBrowser({ url: api.url, dataDir: shop.app.dataDir })
  for (const [name, value] of browser.cookies) moved.cookies.set(name, value)
  return moved
}

beforeAll(async () => {
  const url = new URL(shop.app.database.applicationUrl)
  proxy = await openTcpProxy({ target: async () => socketOf(url) })
  const databaseUrl = `postgresql://${url.username}@127.0.0.1:${proxy.port}${url.pathname}`
  api = await shop.app.startAnother({ limits: { answerMilliseconds }, databaseUrl })
  browsers.app = await moveOver(await shop.makeMember('patient@example.test'))
  browsers.desk = await moveOver(await createSignedInStaff(shop, 'patient-staff@example.test', 'owner'))
  reseller = await shop.app.makeReseller()
})
afterAll(async () => {
  proxy.heal()
  await Promise.all(Object.values(browsers).map((browser) => browser.close()))
})

const dataOrder = (reference: string) => ({ network: 'Telecel', volume_gb: 1, recipient: '0201234567', reference })
const buy = (reference: string, key = reseller.key) => api.call('POST', '/data/purchase', { key, body: dataOrder(reference) })
const buyBulk = (reference: string) =>
  api.call('POST', '/data/bulk', { key: reseller.key, body: { orders: [dataOrder(reference)] } })
const makeList = (name: string) => browsers.app.ask('POST', '/app/api/sms/lists', { name })
const announce = (message: string) => browsers.desk.ask('POST', '/desk/api/incidents', { level: 'trouble', message })

/** Checks that a refusal came in time. @returns its reason */
async function reasonInTime(name: string, asked: Promise<Answer>): Promise<string> {
  const askedAt = performance.now()
  const { status, headers, body } = await asked
  const isInTime = performance.now() - askedAt < promisedMilliseconds
  expect({ name, status, isRefused: !body.success, isInTime }).toEqual({ name, status: 503, isRefused: true, isInTime: true })
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  return String(headers['x-error-reason'])
}

async function reasonsInTime(calls: Record<string, Promise<Answer>>): Promise<Record<string, string>> {
  const reasons = Object.entries(calls).map(async ([name, asked]) => [name, await reasonInTime(name, asked)] as const)
  return Object.fromEntries(await Promise.all(reasons))
}

async function countRows(table: 'sms_lists' | 'incidents', column: 'name' | 'message', text: string): Promise<number> {
  const { rows } = await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${text}`.execute(shop.db)
  return rows.length
}

async function ordersNamed(reference: string): Promise<number> {
  return (await shop.db.selectFrom('orders').select('id').where('reference', '=', reference).execute()).length
}

it('a database that stands still keeps no caller waiting: 503 in time, with true words, and a repeat learns the truth', async () => {
  const { key } = reseller
  const [unknown, unchecked] = [await shop.app.makeReseller(), await shop.app.makeReseller()]
  await shop.app.untilSeen()
  const warm = [api.call('GET', '/wallet/balance', { key }), buy('warm'), browsers.app.ask('GET', '/app/api/sms/lists')]
  expect((await Promise.all(warm)).map(({ status }) => status)).toEqual([200, 200, 200])

  proxy.blackHole()
  const reasons = await reasonsInTime({
    purchase: buy('purchase'),
    bulk: buyBulk('bulk'),
    read: api.call('GET', '/wallet/balance', { key }),
    'look-up of a key': api.call('GET', '/wallet/balance', { key: unknown.key }),
    'purchase with a key that is looked up': buy('unchecked', unchecked.key),
    'read in the app': browsers.app.ask('GET', '/app/api/sms/lists'),
    'change in the app': makeList('unchecked'),
    'read at the desk': browsers.desk.ask('GET', '/desk/api/incidents'),
    'change at the desk': announce('unchecked'),
  })
  proxy.heal()

  const { purchase, bulk, ...others } = reasons
  expect(new Set(Object.values(others))).toEqual(new Set(['overloaded']))
  // The status depends on how far the intake came.
  expect(['overloaded', 'outcome_unknown']).toEqual(expect.arrayContaining([purchase, bulk]))
  const isOk = ({ status }: Answer) => status === 200
  // Only after an unknown outcome may the order exist or not.
  expect(await ordersNamed('purchase')).toBeLessThanOrEqual(purchase === 'outcome_unknown' ? 1 : 0)
  for (const repeat of [() => buy('purchase'), () => buyBulk('bulk')]) {
    expect((await retryWhileBusy(repeat, (answer) => !isOk(answer))).status).toBe(200)
    expect((await repeat()).headers).toHaveProperty('idempotent-replayed', 'true')
  }
  expect([await ordersNamed('purchase'), await ordersNamed('bulk'), await ordersNamed('unchecked')]).toEqual([1, 1, 0])
  expect([await countRows('sms_lists', 'name', 'unchecked'), await countRows('incidents', 'message', 'unchecked')]).toEqual([
    0, 0,
  ])
  const { body } = await shop.app.call('GET', '/wallet/balance', { key })
  expect(body.data.balance).toBe(1_000 - 3 * 5.1)
})

it('a change that waits in the database is of unknown outcome, and is there once when the database has carried it out', async () => {
  const { ownerDb } = shop.app.database
  const { body } = await browsers.app.ask('POST', '/app/api/sms/lists', { name: 'known' })
  const listId: string = body.data.list_id
  const importNumbers = (isDryRun: boolean) =>
    browsers.app.ask('POST', `/app/api/sms/lists/${listId}/import`, { text: '0241234567', is_dry_run: isDryRun })
  const reasons = await inTransaction(ownerDb, async (holder) => {
    await sql`lock table sms_lists, incidents in access exclusive mode`.execute(holder)
    return reasonsInTime({
      'read in the app': browsers.app.ask('GET', '/app/api/sms/lists'),
      'check in the app': browsers.app.ask('POST', '/app/api/sms/check-recipients', { recipients: '', list_ids: [listId] }),
      'dry run in the app': importNumbers(true),
      'import in the app': importNumbers(false),
      'change in the app': makeList('waiting'),
      'change at the desk': announce('waiting'),
    })
  })
  expect(reasons).toEqual({
    'read in the app': 'overloaded',
    'check in the app': 'overloaded',
    'dry run in the app': 'overloaded',
    'import in the app': 'outcome_unknown',
    'change in the app': 'outcome_unknown',
    'change at the desk': 'outcome_unknown',
  })
  await expect.poll(() => countRows('sms_lists', 'name', 'waiting')).toBe(1)
  await expect.poll(() => countRows('incidents', 'message', 'waiting')).toBe(1)
})

/** The routes whose work may take longer; all others answer in time. */
const longRoutes = [
  'GET /api/v2/utilities/lookup',
  'GET /app/api/bills/account',
  'GET /desk/api/suppliers/:supplier/packages',
  'POST /desk/api/afa/export',
  'POST /desk/api/gateways/:gateway/test',
  'POST /desk/api/log/check',
  'POST /desk/api/packages/apply',
  'POST /desk/api/packages/preview',
  'POST /desk/api/packages/preview-scheduled',
  'POST /desk/api/packages/scheduled',
  'POST /desk/api/personal-data/erase',
  'POST /desk/api/personal-data/export',
  'POST /desk/api/reconcile/uploads/:upload_id/import',
  'POST /desk/api/suppliers/:supplier/test',
  'POST /desk/api/vouchers/types/:type_id/import',
  'PUT /desk/api/packages/scheduled/:set_id',
]

/** The routes with a method for changes (POST, PUT) that change nothing, always or where the request says so. */
const checkingRoutes = [
  'POST /api/v2/data/verify-number',
  'POST /api/v2/data/verify-number/server-1',
  'POST /api/v2/data/verify-number/server-2',
  'POST /app/api/airtime/check',
  'POST /app/api/bills/check',
  'POST /app/api/customer-import',
  'POST /app/api/data/check',
  'POST /app/api/data/check-registrations',
  'POST /app/api/orders/states',
  'POST /app/api/show-invitation',
  'POST /app/api/sms/check-recipients',
  'POST /app/api/sms/check-text',
  'POST /app/api/sms/lists/:list_id/import',
  'POST /desk/api/log/check',
  'POST /desk/api/packages/preview',
  'POST /desk/api/packages/preview-scheduled',
  'POST /desk/api/sms/check-text',
  'POST /desk/api/vouchers/types/:type_id/import',
]

it('every route answers in time, but for files and for those that say why they take longer', async () => {
  const routes = await listRoutes()
  const long = routes.filter(({ config }) => config?.longWork !== undefined)
  for (const { config } of long) expect(config?.longWork).toMatch(/^[A-Z].*\.$/)
  const named = long.filter(({ config }) => config?.exportedAs === undefined)
  expect(named.map(nameOfRoute).toSorted()).toEqual(longRoutes.toSorted())
})

it('a request that only checks is never of unknown outcome: each such route says so, and no other', async () => {
  const routes = (await listRoutes()).filter(({ method }) => method !== 'HEAD')
  expect(
    routes
      .filter(({ config }) => config?.changesNothing !== undefined)
      .map(nameOfRoute)
      .toSorted(),
  ).toEqual(checkingRoutes.toSorted())
  // Every route whose name says check, preview or look-up must be on the list.
  const named = routes.filter(({ method, url }) => method !== 'GET' && /\/(check|preview|look|verify-)/.test(url))
  expect(named.filter(({ config }) => config?.changesNothing !== true).map(nameOfRoute)).toEqual([])
})
