import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import { connectDatabase } from '../../database/database.ts'
import { createRateLimiter, failedKeysPerMinute } from './create-rate-limiter.ts'

const log = pino({ level: 'silent' })

describe('in PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it('keeps one count for all processes', async () => {
    const other = connectDatabase({ url: database.applicationUrl, poolSize: 4, applicationName: 'second process' })
    const first = createRateLimiter({ store: 'postgres', db: database.db, log })
    const second = createRateLimiter({ store: 'postgres', db: other, log })
    const counts = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? first : second).count('GET /packages', 'key')),
    )
    expect(counts.map((count) => count.requests).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
    expect(await first.count('GET /packages', 'another key')).toEqual({ requests: 1, resetSeconds: 60 })
    expect(await first.count('POST /data/purchase', 'key')).toEqual({ requests: 1, resetSeconds: 60 })
    first.stop()
    second.stop()
    await other.destroy()
  })

  it('counts requests that come together one by one, also when they are counted in one statement', async () => {
    const limiter = createRateLimiter({ store: 'postgres', db: database.db, log })
    const keys = Array.from({ length: 300 }, (_, index) => `together-${index % 3}`)
    const counts = await Promise.all(keys.map((key) => limiter.count('GET /together', key)))
    for (const key of new Set(keys)) {
      const ofKey = counts.filter((_count, index) => keys[index] === key).map(({ requests }) => requests)
      expect(ofKey.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    }
    limiter.stop()
  })

  it('begins a new count when the minute is over', async () => {
    const limiter = createRateLimiter({ store: 'postgres', db: database.db, log })
    await limiter.count('GET /x', 'late')
    expect((await limiter.count('GET /x', 'late')).requests).toBe(2)
    await sql`update rate_limits set expire = expire - 61000 where key like '%late'`.execute(database.db)
    expect(await limiter.count('GET /x', 'late')).toEqual({ requests: 1, resetSeconds: 60 })
    limiter.stop()
  })

  it('counts in its own memory while the database is away, instead of failing', async () => {
    const away = connectDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none', poolSize: 1, applicationName: 'away' })
    const limiter = createRateLimiter({ store: 'postgres', db: away, log })
    expect((await limiter.count('GET /x', 'key')).requests).toBe(1)
    expect((await limiter.count('GET /x', 'key')).requests).toBe(2)
    limiter.stop()
    await away.destroy()
  })
})

describe('failed keys', () => {
  it('block an IP address after many failures, and nobody else', async () => {
    const { failedKeys, stop } = createRateLimiter({ store: 'memory', log })
    for (let failed = 0; failed < failedKeysPerMinute; failed += 1) {
      expect(await failedKeys.blockedSeconds('192.0.2.1')).toBe(0)
      await failedKeys.record('192.0.2.1')
    }
    expect(await failedKeys.blockedSeconds('192.0.2.1')).toBe(60)
    expect(await failedKeys.blockedSeconds('::ffff:192.0.2.1')).toBe(60)
    expect(await failedKeys.blockedSeconds('::ffff:c000:201')).toBe(60)
    expect(await failedKeys.blockedSeconds('192.0.2.2')).toBe(0)
    stop()
  })

  it('count a whole /64 of IPv6 addresses as one', async () => {
    const { failedKeys, stop } = createRateLimiter({ store: 'memory', log })
    for (let failed = 0; failed < failedKeysPerMinute; failed += 1) await failedKeys.record(`2001:db8:0:1::${failed}`)
    expect(await failedKeys.blockedSeconds('2001:db8:0:1:ffff:ffff:ffff:ffff')).toBe(60)
    expect(await failedKeys.blockedSeconds('2001:db8::1:0:0:0:7')).toBe(60)
    expect(await failedKeys.blockedSeconds('2001:db8:0:2::1')).toBe(0)
    expect(await failedKeys.blockedSeconds('::1')).toBe(0)
    stop()
  })
})
