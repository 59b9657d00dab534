import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import type { Db } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { openRealSideFollower } from './follow-real-side.ts'

const secretsKeys = parseSecretsKeys(randomBytes(32).toString('base64'), 'test')
let real: TestDatabase
let test: TestDatabase

beforeAll(async () => {
  real = await createTestDatabase()
  test = await createTestDatabase()
})
afterAll(async () => {
  await real.drop()
  await test.drop()
})

const readTypes = (db: Db) => db.selectFrom('voucher_types').select(['id', 'name']).orderBy('id').execute()

describe('the test side', () => {
  it('sells the voucher types of the real side under their names, also where one has the former name of another', async () => {
    const follow = () => openRealSideFollower({ db: real.db, testDb: test.db, secretsKeys })()
    const [first, second] = [newId(), newId()]
    const prices = { price_customer: 999, price_agent: 888, price_dealer: 777 }
    const types = [
      { id: first, name: 'BECE', ...prices },
      { id: second, name: 'WASSCE', ...prices },
    ]
    await real.db.insertInto('voucher_types').values(types).execute()
    await follow()
    const rename = (id: string, name: string) => real.db.updateTable('voucher_types').set({ name }).where('id', '=', id).execute()
    await rename(second, 'NOVDEC')
    await rename(first, 'WASSCE')
    await follow()
    expect(await readTypes(test.db)).toEqual(await readTypes(real.db))
    await rename(second, 'a moment')
    await rename(first, 'NOVDEC')
    await rename(second, 'WASSCE')
    await follow()
    expect(await readTypes(test.db)).toEqual(await readTypes(real.db))
  })
})
