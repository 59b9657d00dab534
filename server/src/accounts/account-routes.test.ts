import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, makeKeyFor } from '../../test/makers.ts'
import { startTestApp, type TestApi, type TestApp } from '../../test/start-test-app.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { revokeKey } from './revoke-key.ts'

let app: TestApp
let another: TestApi

beforeAll(async () => {
  app = await startTestApp()
  another = await app.startAnother()
})
afterAll(() => app.close())

describe('GET /account/role', () => {
  it('answers the role in the success envelope', async () => {
    const { key } = await app.makeReseller({ role: 'dealer' })
    const { status, body } = await app.call('GET', '/account/role', { key })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: { role: 'dealer', is_active: true, is_permanent: true, expires_at: null, days_remaining: null },
      meta: { timestamp: expect.any(String), version: 'v2' },
    })
  })

  it('answers an expired role as inactive, and its key keeps working', async () => {
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

  it('answers 30 calls a minute and key, then 429 with Retry-After', async () => {
    const { key } = await app.makeReseller()
    const answers = await Promise.all(Array.from({ length: 31 }, () => app.call('GET', '/account/role', { key })))
    const refused = answers.filter((answer) => answer.status === 429)
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(30)
    expect(refused).toHaveLength(1)
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('takes a standard key only', async () => {
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

describe('the Authorization header', () => {
  it('missing, with Bearer, or with a key that differs in one character answers 401 with the same body', async () => {
    const { key } = await app.makeReseller()
    const nearMiss = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
    const answers = await Promise.all([
      app.call('GET', '/account/role'),
      ...[`Bearer ${key}`, nearMiss, key.slice(1), 'nonsense'].map((wrong) => app.call('GET', '/account/role', { key: wrong })),
    ])
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual({ success: false, error: { code: 401, message: answers[0]?.body.error.message } })
    }
  })

  it('with a key that was just revoked answers 403 on every process within a second', async () => {
    const { accountId, key } = await app.makeReseller()
    const statusOn = async (api: TestApi) => (await api.call('GET', '/wallet/balance', { key })).status
    await expect.poll(() => statusOn(another), { timeout: 1_000 }).toBe(200)
    const { id } = await app.database.db
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    await inTransaction(app.database.db, (tx) => revokeKey(tx, { keyId: id, actor: 'test' }))
    await expect.poll(() => statusOn(app), { timeout: 1_000, interval: 50 }).toBe(403)
    await expect.poll(() => statusOn(another), { timeout: 1_000, interval: 50 }).toBe(403)
  })
})
