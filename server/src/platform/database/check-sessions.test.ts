import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSessionPooler } from '../../../test/servers/start-session-pooler.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { checkSessions } from './check-sessions.ts'
import { connectDatabase } from './database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function check(url: string): Promise<void> {
  const db = connectDatabase({ url, role: 'makola_app', poolSize: 2, applicationName: 'makola tests' })
  try {
    await checkSessions(db)
  } finally {
    await db.destroy()
  }
}

test('PostgreSQL itself gives each connection a session of its own', async () => {
  await expect(check(database.applicationUrl)).resolves.toBeUndefined()
  await expect(check(database.ownerUrl)).resolves.toBeUndefined()
})

describe('a pooler that shares sessions out by transaction', () => {
  test('is refused when it drops the settings that a connection asks for', async () => {
    const pooler = await startSessionPooler({ url: database.applicationUrl, dropsOptions: true })
    try {
      await expect(check(pooler.url)).rejects.toThrow(
        'drops the settings that a connection asks for. Makola needs a session of its own',
      )
    } finally {
      await pooler.stop()
    }
  })

  test('is refused when it keeps them', async () => {
    const pooler = await startSessionPooler({ url: database.applicationUrl, dropsOptions: false })
    try {
      await expect(check(pooler.url)).rejects.toThrow(
        'gives one session to several connections. Makola needs a session of its own',
      )
    } finally {
      await pooler.stop()
    }
  })
})
