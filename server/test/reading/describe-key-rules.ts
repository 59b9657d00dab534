import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { KeyType } from '../../src/accounts/caller.ts'
import { createKey } from '../../src/accounts/create-key.ts'
import { inTransaction } from '../../src/platform/database/in-transaction.ts'
import { makeAccount, makeKeyFor } from '../make-account.ts'
import type { TestApp } from '../start-test-app.ts'

/** A method, a path that anybody may ask for, and the limit that the contract gives it, as `RateLimit-Policy` shows it. */
export type KeyedEndpoint = readonly [method: 'GET' | 'POST', path: string, policy?: string]

const keyTypes: readonly KeyType[] = ['standard', 'sms', 'commission']

/**
 * Registers what every endpoint has in common (contract, Authentication; decision A4: the order of checks): whose keys it
 * takes, and that it has a limit of its own.
 */
export function describeKeyRules(shop: { readonly app: TestApp }, type: KeyType, endpoints: readonly KeyedEndpoint[]): void {
  describe.each(endpoints.map(([method, path, policy]) => ({ method, path, policy })))(
    '$method $path',
    ({ method, path, policy }) => {
      const ask = (key?: string) =>
        shop.app.call(method, path, { ...(key === undefined ? {} : { key }), ...(method === 'POST' ? { body: {} } : {}) })

      it('answers 401 without a key or with an unknown one', async () => {
        expect((await ask()).status).toBe(401)
        expect((await ask('makola_live_nobody')).status).toBe(401)
      })

      it(`answers 403 to keys that are not ${type}, pending or revoked, and to the key of a suspended account`, async () => {
        const { db } = shop.app.database
        const [suspended, other, waiting] = [await makeAccount(db), await makeAccount(db), await makeAccount(db)]
        const wrong = keyTypes.filter((keyType) => keyType !== type)
        const wrongKeys = [await makeKeyFor(db, other.accountId, wrong[0]), await makeKeyFor(db, other.accountId, wrong[1])]
        const revoked = await makeKeyFor(db, other.accountId, type)
        await makeKeyFor(db, other.accountId, type)
        const pending = await inTransaction(db, (tx) =>
          createKey(tx, { accountId: waiting.accountId, type, isPending: true, prefix: 'makola', actor: 'test' }),
        )
        const suspendedKey = await makeKeyFor(db, suspended.accountId, type)
        await sql`update accounts set status = 'suspended' where id = ${suspended.accountId}`.execute(db)
        await sql`update cache_epoch set epoch = epoch + 1`.execute(db)
        await shop.app.untilSeen()
        const answers = await Promise.all([...wrongKeys, pending.key, revoked, suspendedKey].map(ask))
        expect(answers.map(({ status, headers }) => [status, headers['x-error-reason']])).toEqual([
          [403, 'wrong_key_type'],
          [403, 'wrong_key_type'],
          [403, 'key_pending'],
          [403, 'key_revoked'],
          [403, 'account_suspended'],
        ])
      })

      if (policy === undefined) return
      it('counts against the limit that the contract gives it', async () => {
        const { db } = shop.app.database
        const { accountId } = await makeAccount(db)
        const { status, headers } = await ask(await makeKeyFor(db, accountId, type))
        expect([401, 403, 429]).not.toContain(status)
        expect(headers['ratelimit-policy']).toBe(policy)
      })
    },
  )
}
