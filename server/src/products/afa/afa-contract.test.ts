import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKeyFor } from '../../../test/makers.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { startTestApp, type TestApp } from '../../../test/start-test-app.ts'

let app: TestApp
const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1_000))

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await mustPassAudit(app.database.db)
  await app.close()
})

const person = (reference: string, more: object = {}) => ({
  reference,
  full_name: 'Ama Mensah',
  phone: '0241234567',
  id_type: 'Ghana Card',
  id_number: 'GHA-123456789-0',
  date_of_birth: '1990-05-17',
  region: 'Greater Accra',
  location: 'Madina',
  ...more,
})
const register = (key: string, body: object) => app.call('POST', '/afa/register', { key, body })

const endpoints = [
  ['POST', '/afa/register', '"POST /afa/register";q=10;w=60'],
  ['GET', '/afa/orders', '"GET /afa/orders";q=30;w=60'],
  ['GET', '/afa/orders/nobody', '"GET /afa/orders/{reference}";q=30;w=60'],
] as const

describe.each(endpoints)('%s %s', (method, path, policy) => {
  const ask = (key?: string) =>
    app.call(method, path, { ...(key === undefined ? {} : { key }), ...(method === 'POST' ? { body: {} } : {}) })

  it('answers 401 without a key or with an unknown one', async () => {
    expect((await ask()).status).toBe(401)
    expect((await ask('makola_live_nobody')).status).toBe(401)
  })

  it('answers 403 to an SMS key, a commission key, and the key of a suspended account', async () => {
    const { accountId, key } = await app.makeReseller()
    for (const type of ['sms', 'commission'] as const) {
      expect((await ask(await makeKeyFor(app.database.db, accountId, type))).status).toBe(403)
    }
    await sql`update accounts set status = 'suspended' where id = ${accountId}`.execute(app.database.db)
    await sql`update cache_epoch set epoch = epoch + 1`.execute(app.database.db)
    await aSecond()
    expect((await ask(key)).status).toBe(403)
  })

  it('counts against the limit that the contract gives it', async () => {
    const { key } = await app.makeReseller()
    const { status, headers } = await ask(key)
    expect([401, 403, 429]).not.toContain(status)
    expect(headers['ratelimit-policy']).toBe(policy)
  })
})

describe('POST /afa/register', () => {
  it.each(['afa', 'r'.repeat(100), 'a/b?c=d%20 e'])(
    'takes the reference %s, by which the registration is looked up',
    async (reference) => {
      const { key } = await app.makeReseller()
      const { status, body } = await register(key, person(reference))
      expect(status).toBe(200)
      const found = await app.call('GET', `/afa/orders/${encodeURIComponent(reference)}`, { key })
      expect(found.body.data).toEqual({ id: body.data.order_id, reference, status: 'pending' })
    },
  )

  it('takes the fee of a customer from an agent whose role has expired', async () => {
    const { key } = await app.makeReseller({ role: 'agent', roleExpiresAt: new Date(Date.now() + 500) })
    await aSecond()
    expect((await register(key, person('expired'))).body.data.new_balance).toBe(985)
  })

  it('answers 409 to a taken reference before it looks at the wallet', async () => {
    const { key } = await app.makeReseller({ balancePesewas: 1_200 })
    expect((await register(key, person('taken'))).status).toBe(200)
    expect((await register(key, person('taken'))).headers['x-error-reason']).toBe('reference_taken')
    expect((await register(key, person('fresh'))).headers['x-error-reason']).toBe('insufficient_funds')
  })

  it.each([{ location: ' ' }, { notes: null }, { full_name: null }, { phone: 241_234_567 }, { date_of_birth: '2099-01-01' }])(
    'answers 400 for %o',
    async (change) => {
      const { key } = await app.makeReseller()
      expect((await register(key, person('refused', change))).status).toBe(400)
    },
  )
})

it('each product’s look-up finds only its own orders', async () => {
  const { key } = await app.makeReseller()
  await register(key, person('only-afa'))
  expect((await app.call('GET', '/resultschecker/orders/only-afa', { key })).status).toBe(404)
  expect((await app.call('GET', '/orders/only-afa', { key })).status).toBe(404)
})
