import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApi, type TestApp } from '../../test/start-test-app.ts'
import { readWithinASecond } from '../../test/within-a-second.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { revokeKey } from './revoke-key.ts'

let app: TestApp
let another: TestApi

beforeAll(async () => {
  app = await startTestApp()
  another = await app.startAnother()
})
afterAll(() => app.close())

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
    expect(await readWithinASecond(200, () => statusOn(another))).toBe(200)
    const { id } = await app.database.db
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    await inTransaction(app.database.db, (tx) => revokeKey(tx, { keyId: id, actor: 'test' }))
    expect(await readWithinASecond(403, () => statusOn(app))).toBe(403)
    expect(await readWithinASecond(403, () => statusOn(another))).toBe(403)
  })
})
