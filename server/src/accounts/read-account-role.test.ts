import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeAccount, makeKeyFor } from '../../test/make-account.ts'
import { startTestApp, type TestApp } from '../../test/start-test-app.ts'
import { watchEpoch } from '../platform/database/epoch.ts'
import { readAccount } from './find-account.ts'
import { findAccountRole } from './find-account-role.ts'

const hour = 60 * 60_000
const day = 24 * hour

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
afterEach(() => vi.useRealTimers())

async function databaseTime(): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(app.database.db)
  return Number(rows[0]?.now)
}

describe('GET /account/role', () => {
  it('200: answers the role in the success envelope', async () => {
    const { key } = await app.makeReseller({ role: 'dealer' })
    const { status, body } = await app.call('GET', '/account/role', { key })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: { role: 'dealer', is_active: true, is_permanent: true, expires_at: null, days_remaining: null },
      meta: { timestamp: expect.any(String), version: 'v2' },
    })
  })

  it('200: answers an expired role as inactive, and its key keeps working', async () => {
    const { accountId, key } = await app.makeReseller({ role: 'agent' })
    await app.database.db
      .updateTable('accounts')
      .set({ role_expires_at: new Date('2026-01-31T10:00:00Z') })
      .where('id', '=', accountId)
      .execute()
    const { status, body } = await app.call('GET', '/account/role', { key })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      role: 'agent',
      is_active: false,
      is_permanent: false,
      expires_at: '2026-01-31T10:00:00.000Z',
      days_remaining: 0,
    })
  })

  it('200, then 429: answers 30 calls a minute and key, then asks to wait by Retry-After', async () => {
    const { key } = await app.makeReseller()
    const answers = await Promise.all(Array.from({ length: 31 }, () => app.call('GET', '/account/role', { key })))
    const refused = answers.filter((answer) => answer.status === 429)
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(30)
    expect(refused).toHaveLength(1)
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('403: takes a standard key only', async () => {
    const { accountId } = await makeAccount(app.database.db)
    for (const type of ['sms', 'commission'] as const) {
      const key = await makeKeyFor(app.database.db, accountId, type)
      const { status, body, headers } = await app.call('GET', '/account/role', { key })
      expect({ status, code: body.error.code, reason: headers['x-error-reason'] }).toEqual({
        status: 403,
        code: 403,
        reason: 'wrong_key_type',
      })
      expect(body.error.message).toContain('needs a standard key')
    }
  })
})

describe('GET /account/role shows', () => {
  const now = new Date('2026-03-01T12:00:00.000Z')
  const at = (milliseconds: number) => new Date(now.getTime() + milliseconds)

  it('200: a plain customer and a lifetime role as active and permanent, with no expiry and no days', () => {
    for (const role of ['customer', 'agent', 'dealer'] as const) {
      expect(findAccountRole({ role, roleExpiresAt: null }, now)).toEqual({
        role,
        is_active: true,
        is_permanent: true,
        expires_at: null,
        days_remaining: null,
      })
    }
  })

  it('200: the days until the expiry rounded up, and 0 once it has passed', () => {
    const days = (milliseconds: number) => findAccountRole({ role: 'agent', roleExpiresAt: at(milliseconds) }, now).days_remaining
    expect([30 * day, 29 * day + 1, 1, 0, -1, -40 * day].map(days)).toEqual([30, 30, 1, 0, 0, 0])
  })

  it('200: is_active false from the very moment of the expiry, while the role keeps its name', () => {
    const shown = (milliseconds: number) => findAccountRole({ role: 'dealer', roleExpiresAt: at(milliseconds) }, now)
    expect(shown(1)).toMatchObject({ role: 'dealer', is_active: true, is_permanent: false })
    expect(shown(0)).toEqual({
      role: 'dealer',
      is_active: false,
      is_permanent: false,
      expires_at: '2026-03-01T12:00:00.000Z',
      days_remaining: 0,
    })
  })

  it.each([hour, -hour])('200: what the database’s clock says, with the process’s clock %i ms off', async (offset) => {
    const { accountId } = await makeAccount(app.database.db)
    const now = await databaseTime()
    vi.useFakeTimers({ toFake: ['Date'], now: now + offset })
    const epoch = await watchEpoch(app.database.db)
    epoch.stop()
    const shown = async (expiresAt: number) => {
      await sql`update accounts set role_expires_at = ${new Date(expiresAt)} where id = ${accountId}`.execute(app.database.db)
      return findAccountRole(await readAccount(app.database.db, accountId), epoch.databaseNow())
    }
    expect(await shown(now + 20 * 60_000)).toMatchObject({ is_active: true, days_remaining: 1 })
    expect(await shown(now - 20 * 60_000)).toMatchObject({ is_active: false, days_remaining: 0 })
  })
})
