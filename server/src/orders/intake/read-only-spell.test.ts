import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { patienceSeconds } from '../../../test/patience.ts'
import { startTestApp, type TestApp } from '../../../test/start-test-app.ts'
import { connectDatabase, type Db } from '../../platform/database/database.ts'

let app: TestApp
let key: string
/** This connection can write during the test, because it sets its own transactions to read-write. */
let administrator: Db

beforeAll(async () => {
  app = await startTestApp()
  ;({ key } = await app.makeReseller())
  administrator = connectDatabase({
    url: app.database.ownerUrl,
    poolSize: 1,
    applicationName: 'makola tests',
    session: { default_transaction_read_only: 'off' },
  })
})
afterAll(async () => {
  await administrator.destroy()
  await app.close()
})

/** Breaks all connections. From then on the server refuses writes, or accepts them again. */
async function changeServer(takesWrites: boolean): Promise<void> {
  const value = sql.raw(takesWrites ? 'off' : 'on')
  await sql`do $$ begin execute format('alter database %I set default_transaction_read_only = ${value}', current_database()); end $$`.execute(
    administrator,
  )
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'makola%'`.execute(administrator)
}

const readyStatus = async () => (await app.api.app.inject({ url: '/readyz' })).statusCode
const buy = (reference: string) =>
  app.call('POST', '/data/purchase', { key, body: { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference } })
const patience = { timeout: patienceSeconds * 1_000, interval: 50 }

test('while its server takes no writes the API is not ready and answers 503, never 500, and serves again by itself', async () => {
  expect((await buy('before-the-spell')).status).toBe(200)
  await changeServer(false)
  await vi.waitFor(async () => expect(await readyStatus()).toBe(503), patience)
  const early = await Promise.all([
    buy('in-the-spell'),
    app.call('GET', '/orders/before-the-spell', { key }),
    app.call('GET', '/packages', { key }),
  ])
  for (const answer of early) {
    expect(answer.status).toBe(503)
    expect(answer.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) })
    expect(answer.body).toMatchObject({ success: false, error: { code: 503 } })
  }
  const lateReferences = Array.from({ length: 8 }, (_, index) => `late-in-the-spell-${index}`)
  const late = Promise.all(lateReferences.map(buy))
  await changeServer(true)
  // A request that lost its connection during the look-up of its key is answered 503; one that was in the intake is
  // placed.
  for (const answer of await late) expect([200, 503]).toContain(answer.status)
  await vi.waitFor(async () => expect(await readyStatus()).toBe(200), patience)
  for (const reference of lateReferences) expect((await buy(reference)).status).toBe(200)
  expect((await buy('in-the-spell')).status).toBe(200)
  expect((await app.call('GET', '/orders/late-in-the-spell-3', { key })).status).toBe(200)
  await mustPassAudit(app.database.db)
})
