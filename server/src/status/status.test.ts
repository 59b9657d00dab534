import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/start-test-app.ts'
import { announceIncident, endIncident } from '../notices/incidents/announce-incident.ts'
import { connectDatabase } from '../platform/database/database.ts'
import { watchEpoch } from '../platform/database/epoch.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { openSettings, writeSetting } from '../platform/settings/settings.ts'
import { airtimeEnabled } from '../products/airtime/airtime.settings.ts'
import { products } from '../products/products.ts'
import { billerEnabled } from '../products/utilities/utilities.settings.ts'
import { loadRoutes } from '../suppliers/routes/load-routes.ts'
import { decideState } from './decide-state.ts'
import { registerStatusRoutes } from './status.routes.ts'

const log = pino({ level: 'silent' })
let shop: TestApp
const opened: (() => Promise<void>)[] = []

beforeAll(async () => {
  shop = await startTestApp()
})
afterAll(async () => {
  for (const close of opened) await close()
  await shop.close()
})

/** Serves only the status page, over database connections of its own. */
async function openPage(times: { readMilliseconds: number; freshMilliseconds: number }) {
  const db = connectDatabase({
    url: shop.database.applicationUrl,
    poolSize: 2,
    applicationName: 'status page',
    onConnectionError: () => undefined,
  })
  const epoch = await watchEpoch(db)
  const routes = await loadRoutes({ db, epoch, log })
  const page = fastify()
  const settings = openSettings(db, epoch)
  registerStatusRoutes(page, { db, settings, routes, products, publicUrl: 'https://shop.example', log }, times)
  const close = async () => {
    epoch.stop()
    routes.stop()
    await db.destroy()
  }
  opened.push(close)
  return { page, close }
}

/** Every request reads the state anew. */
const always = { readMilliseconds: 0, freshMilliseconds: 0 }

const textOf = async (page: FastifyInstance, url = '/status') => (await page.inject(url)).body

/** The word of each service, by its product and network. */
async function statesOf(page: FastifyInstance): Promise<Record<string, string>> {
  const states: Record<string, string> = {}
  for (const part of (await textOf(page)).split('<h2>').slice(1)) {
    const [product = ''] = part.split('</h2>')
    for (const [, network, state] of part.matchAll(/<h3>([^<]*)<\/h3><b class="(\w+)">/g))
      states[`${product} ${network}`] = state ?? ''
  }
  return states
}

async function placeOrders(network: string, count: number, outcome: 'completed' | 'failed'): Promise<void> {
  const { key } = await shop.makeReseller({ balancePesewas: 1_000_000 })
  const recipient = { Telecel: '0201234567', 'AT-iShare': '0261234567' }[network]
  for (let nth = 0; nth < count; nth += 1) {
    const reference = `status-${network}-${outcome}-${nth}`
    const answer = await shop.call('POST', '/data/purchase', { key, body: { network, volume_gb: 1, recipient, reference } })
    expect(answer.status).toBe(200)
    await sql`update orders set status = ${outcome}, updated_at = created_at + interval '12 seconds'
      where id = ${answer.body.data.order_id}`.execute(shop.database.db)
  }
}

describe('GET /status', () => {
  it('says of every product and network whether it works, and names no supplier, amount or number of orders', async () => {
    const { page } = await openPage(always)
    const states = await statesOf(page)
    expect(states).toMatchObject({
      'Data bundles MTN': 'working',
      'Utility bills Ghana Water': 'working',
      'Airtime AT': 'working',
    })
    expect(Object.keys(states)).toHaveLength(15)
    const text = await textOf(page)
    const suppliers = await shop.database.db.selectFrom('suppliers').select('name').execute()
    expect(suppliers.length).toBeGreaterThan(1)
    for (const { name } of suppliers) expect(text).not.toMatch(new RegExp(name, 'i'))
    expect(text).not.toMatch(/GHS|pesewas|[0-9a-f]{8}-[0-9a-f]{4}-/)
    expect(text).toContain('<h1 class="working">Everything works</h1>')
  })

  it('runs no script, sets no cookie, and may be kept by caches for as long as we keep it', async () => {
    const { page } = await openPage({ readMilliseconds: 60_000, freshMilliseconds: 60_000 })
    const { headers, body } = await page.inject('/status')
    expect(String(headers['content-security-policy'])).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; /)
    expect(body).not.toMatch(/<script|\son[a-z]+=|\sstyle=/)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['cache-control']).toMatch(/^public, max-age=15, /)
    const again = await page.inject({ url: '/status', headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('reads the database once however many ask, and again when the time is over', async () => {
    const { page } = await openPage({ readMilliseconds: 60_000, freshMilliseconds: 60_000 })
    const first = await Promise.all(Array.from({ length: 50 }, () => textOf(page)))
    expect(new Set(first).size).toBe(1)
    const id = await inTransaction(shop.database.db, (tx) =>
      announceIncident(tx, { level: 'trouble', message: 'Seen after a while.', actor: 'test' }),
    )
    expect(await textOf(page)).toBe(first[0])
    const fresh = await openPage(always)
    expect(await textOf(fresh.page)).toContain('Seen after a while.')
    await inTransaction(shop.database.db, (tx) => endIncident(tx, { incidentId: id, actor: 'test' }))
  })

  it('shows what became of the orders of the last hour, and how long deliveries took', async () => {
    await placeOrders('Telecel', 9, 'completed')
    await placeOrders('Telecel', 3, 'failed')
    await placeOrders('AT-iShare', 4, 'failed')
    const { page } = await openPage(always)
    expect(await statesOf(page)).toMatchObject({ 'Data bundles Telecel': 'failing', 'Data bundles AT-iShare': 'working' })
    const text = await textOf(page)
    expect(text).toContain('Last hour: 75% delivered, half of them within 12 s')
    // Four orders say nothing yet.
    expect(text).not.toContain('Last hour: 0%')
    await placeOrders('AT-iShare', 2, 'completed')
    expect(await statesOf(page)).toMatchObject({ 'Data bundles AT-iShare': 'broken' })
  })

  it('says that orders wait while no route is open, and what the operator does not sell', async () => {
    const { db } = shop.database
    await sql`update routes set state = 'paused', paused_reason = 'operator: a secret reason' where product = 'data' and network = 'MTN'`.execute(
      db,
    )
    await sql`update cache_epoch set epoch = epoch + 1, catalogue_version = catalogue_version + 1`.execute(db)
    await writeSetting(db, airtimeEnabled, false, 'test')
    await writeSetting(db, billerEnabled.ecg, false, 'test')
    const { page } = await openPage(always)
    const states = await statesOf(page)
    expect(states).toMatchObject({
      'Data bundles MTN': 'paused',
      'Airtime MTN': 'off',
      'Airtime Telecel': 'off',
      'Utility bills ECG': 'off',
      'Utility bills DStv': 'working',
    })
    expect(await textOf(page)).not.toContain('secret reason')
  })

  it('has a bar for each counted day of the last 90', async () => {
    const { db } = shop.database
    const day = (ago: number) => sql`(now() at time zone 'Africa/Accra')::date - ${sql.lit(ago)}::int`
    for (const [ago, network, delivered, failed] of [
      [0, 'MTN', 100, 0],
      [1, 'MTN', 90, 10],
      [89, 'MTN', 10, 90],
      [90, 'MTN', 1, 99],
    ] as const) {
      await sql`insert into daily_figures (slice, day, product, network, orders, delivered, failed)
        values ('goods', ${day(ago)}, 'data', ${network}, ${delivered + failed}, ${delivered}, ${failed})`.execute(db)
    }
    const { page } = await openPage(always)
    const text = await textOf(page)
    expect(text).toContain('Of the 3 days with enough orders, 2 had fewer than 95% delivered.')
    expect(text).toContain('<path class="good" d="M89.2 5H90"/>')
    expect(text).toContain('<path class="poor" d="M88.2 5H89"/>')
    expect(text).toContain('<path class="bad" d="M0.2 5H1"/>')
  })

  it('503: a process that has read nothing yet says so', async () => {
    const { page, close } = await openPage(always)
    await close()
    const answer = await page.inject('/status')
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([503, 'no-store'])
    expect(answer.body).toContain('State unknown')
  })

  it('goes on with what it knew while the database is away, and says since when', async () => {
    const { page, close } = await openPage(always)
    const before = await textOf(page)
    expect(before.includes('cannot be read')).toBe(false)
    await close()
    const away = await page.inject('/status')
    expect(away.statusCode).toBe(200)
    expect(away.body).toContain('Since then the figures cannot be read.')
    const readAt = /Read at <time datetime="([^"]+)"/.exec(before)?.[1]
    expect(readAt).toBeDefined()
    expect(away.body).toContain(`Read at <time datetime="${readAt}"`)
    expect((await page.inject('/status.atom')).statusCode).toBe(200)
  })
})

describe('GET /status.atom', () => {
  it('has trouble and outages with their beginning and end, and no news and no names of the staff', async () => {
    const { db } = shop.database
    const announce = (level: 'news' | 'trouble' | 'outage', message: string) =>
      inTransaction(db, (tx) => announceIncident(tx, { level, message, actor: 'kofi@staff.example' }))
    await announce('news', 'New prices on Monday.')
    const id = await announce('outage', 'MTN <data> does not work.')
    const { page } = await openPage(always)
    const open = await textOf(page, '/status.atom')
    expect(open).toContain(`<id>urn:uuid:${id}</id>`)
    expect(open).toContain('<title>Outage: MTN &lt;data&gt; does not work.</title>')
    expect(open).not.toMatch(/New prices|kofi/)
    expect(await textOf(page)).toContain('<h1 class="outage">There is an outage</h1>')
    await inTransaction(db, (tx) => endIncident(tx, { incidentId: id, actor: 'kofi@staff.example' }))
    expect(await textOf(page, '/status.atom')).toContain('<title>Outage (over): MTN &lt;data&gt; does not work.</title>')
    expect(await textOf(page)).not.toMatch(/There is an outage|kofi|New prices/)
  })
})

it('the whole API serves both addresses, to anybody', async () => {
  const dispatcher = new Agent({ connect: { ca: await readFile(join(shop.dataDir, 'tls', 'ca.pem')) } })
  for (const [path, type] of [
    ['/status', 'text/html'],
    ['/status.atom', 'application/atom+xml'],
  ]) {
    const { statusCode, headers, body } = await request(`${shop.url}${path}`, { dispatcher })
    await body.dump()
    expect([statusCode, headers['content-type'], headers['set-cookie']]).toEqual([200, `${type}; charset=utf-8`, undefined])
  }
  await dispatcher.close()
})

describe('the state of a service', () => {
  const orders = { delivered: 0, failed: 0, late: 0, deliverySeconds: null }
  it.each([
    ['working', {}],
    ['working', { delivered: 9, failed: 1 }],
    ['failing', { delivered: 8, failed: 2 }],
    ['broken', { delivered: 4, failed: 6 }],
    ['working', { delivered: 4, late: 2 }],
    ['slow', { delivered: 4, late: 3 }],
    ['working', { delivered: 97, late: 3 }],
  ] as const)('is %s after %o', (state, seen) => {
    expect(decideState({ isSold: true, canSend: true, orders: { ...orders, ...seen } })).toBe(state)
  })
})
