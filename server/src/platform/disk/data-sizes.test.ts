import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { readDataPace, recordDataSize } from './data-sizes.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const measured = (daysAgo: number, bytes: number) =>
  sql`insert into data_sizes (day, bytes, measured_at)
    values ((now() at time zone 'UTC')::date - ${daysAgo}::integer, ${bytes}, now() - make_interval(days => ${daysAgo}))`.execute(
    database.db,
  )

describe('the size of the database', () => {
  it('is measured once a day, and the last measurement of the day stays', async () => {
    await recordDataSize(database.db)
    await recordDataSize(database.db)
    const rows = await database.db.selectFrom('data_sizes').select('bytes').execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]?.bytes).toBeGreaterThan(1_000_000)
  })

  it('has a pace once two days are known: that of the last 30 days', async () => {
    await measured(1, 3_000)
    expect(await readDataPace(database.db)).toBeUndefined()
    await measured(60, 0)
    expect(await readDataPace(database.db)).toBeUndefined()
    await measured(21, 1_000)
    const pace = await readDataPace(database.db)
    expect(pace?.bytes).toBe(3_000)
    expect(pace?.days).toBeCloseTo(20, 3)
    expect(pace?.bytesPerDay).toBeCloseTo(100, 3)
  })

  it('is forgotten after 400 days', async () => {
    await measured(401, 1)
    await measured(399, 1)
    await recordDataSize(database.db)
    expect(await database.db.selectFrom('data_sizes').select('day').execute()).toHaveLength(2)
  })
})
