import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase, withEmptyDatabase } from '../../test/test-database.ts'
import { loadSecretsKeys } from '../platform/secrets/load-secrets-keys.ts'
import { airtimeBounds } from '../products/airtime/airtime.settings.ts'
import { openTestSideTimers } from './test-side-timers.ts'

let dataDir: string
let real: TestDatabase

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'makola-test-side-'))
  real = await createTestDatabase()
  const { name } = airtimeBounds.MTN.maximum
  await real.db.insertInto('settings').values({ name, value: '5000', updated_by: 'test' }).execute()
})
afterAll(async () => {
  await real.drop()
  await rm(dataDir, { recursive: true })
})

/** Runs each timer once, on a test side at this address. */
async function runTimers(databaseUrl: string): Promise<number> {
  const secretsKeys = await loadSecretsKeys({ secretsKey: undefined, databaseUrl: undefined, dataDir })
  const testSide = { apiUrl: 'http://127.0.0.1:9', databaseUrl }
  const opened = openTestSideTimers({ testSide, testSideOf: undefined }, real.db, secretsKeys)
  for (const timer of opened.timers) await timer.run()
  await opened.close()
  return opened.timers.length
}

it('a test side that starts for the first time is left alone until it has its tables and its examples', async () => {
  expect(await withEmptyDatabase(runTimers)).toBe(2)
  const side = await createTestDatabase()
  const countSettings = async () => (await sql`select from settings where name like 'airtime%'`.execute(side.db)).rows.length
  await runTimers(side.ownerUrl)
  expect(await countSettings()).toBe(0)
  await sql`insert into accounts (id, email, name, role) values (gen_random_uuid(), 'demo@example.test', 'Demo', 'agent')`.execute(
    side.db,
  )
  await runTimers(side.ownerUrl)
  expect(await countSettings()).toBe(1)
  await side.drop()
})
