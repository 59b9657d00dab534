import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/start-test-app.ts'
import { pesewas } from '../../../money/pesewas.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { pauseRoutesByHand, resumeRoutesByHand } from '../../../suppliers/routes/write-route.ts'
import { writePackages } from '../catalogue/write-packages.ts'

let app: TestApp
let key: string
let accountId: string
let references = 0

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  ;({ key, accountId } = await app.makeReseller())
  await setOffers(['datamart', 'datakazina'])
})
afterAll(() => app.close())

/** Lets exactly these suppliers offer Telecel's 1 GB. */
async function setOffers(suppliers: readonly string[]): Promise<void> {
  const offer = (supplier: string, code: string) =>
    [supplier, suppliers.includes(supplier) ? { code, costPesewas: pesewas(100) } : null] as const
  const wanted = {
    network: 'Telecel',
    volumeGb: 1,
    priceCustomer: pesewas(580),
    priceAgent: pesewas(510),
    priceDealer: pesewas(480),
    offers: new Map([offer('datamart', '1'), offer('datakazina', '1000')]),
  }
  await inTransaction(app.database.db, (tx) => writePackages(tx, [wanted], { isBelowCostAllowed: false }))
}

const buy = () => {
  const body = { network: 'Telecel', volume_gb: 1, recipient: '0201234567', reference: `offer-${++references}` }
  return app.call('POST', '/data/purchase', { key, body })
}

async function routeOf(orderId: string): Promise<string> {
  const row = await app.database.db
    .selectFrom('open_orders')
    .select('route')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return row.route
}

it('an order starts on the first route whose supplier offers the package', async () => {
  expect(await routeOf((await buy()).body.data.order_id)).toBe('datamart/data/Telecel')
  await setOffers(['datakazina'])
  // This works at once too: an order that was prepared with an older catalogue is decided with the present one.
  expect(await routeOf((await buy()).body.data.order_id)).toBe('datakazina/data/Telecel')
})

it('an order waits on a paused route of a supplier that offers its package, not on an open one of a supplier that does not', async () => {
  await setOffers(['datakazina'])
  await pauseRoutesByHand(app.database.db, { supplier: 'datakazina' }, { reason: 'test', seconds: null }, 'test')
  await app.untilSeen()
  expect(await routeOf((await buy()).body.data.order_id)).toBe('datakazina/data/Telecel')
  await resumeRoutesByHand(app.database.db, { supplier: 'datakazina' }, 'test')
})

it('a package that nobody offers is unavailable: 404, no order, no debit, and it is not listed', async () => {
  await setOffers([])
  const refused = await buy()
  expect(refused.status).toBe(404)
  const { rows } = await sql`select from orders where account_id = ${accountId}`.execute(app.database.db)
  expect(rows).toEqual([])
  expect((await app.call('GET', '/wallet/balance', { key })).body.data.balance).toBe(1_000)
  await app.untilSeen()
  const listed = await app.call('GET', '/packages?network=Telecel&size_gb=1', { key })
  expect(listed.body.data).toMatchObject({ packages: [], total: 0 })
})

it('a replay of an order is answered also when nobody offers its package any more (decisions A4)', async () => {
  const body = { network: 'Telecel', volume_gb: 1, recipient: '0201234567', reference: 'offer-replayed' }
  const first = await app.call('POST', '/data/purchase', { key, body })
  await setOffers([])
  const again = await app.call('POST', '/data/purchase', { key, body })
  expect([again.status, again.body.data.order_id]).toEqual([200, first.body.data.order_id])
})
