import { sql } from 'kysely'
import { queueWebhookEvents } from '../notices/webhooks/queue-webhook-events.ts'
import type { Tx } from '../platform/database/database.ts'
import { raiseEpoch } from '../platform/database/epoch.ts'
import { newId } from '../platform/database/new-id.ts'
import { isTestDatabase } from '../platform/database/stamp-mode.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { AccountError } from './account.ts'
import type { KeyType } from './caller.ts'
import { keyDigest, keyHint, keyPrefixOf, makeKey } from './make-key.ts'
import { keyEvent, keyRevokedNotice } from './notices/key-notices.ts'
import { notifyAccounts } from './notices/notify-accounts.ts'

export type NewKey = {
  readonly accountId: string
  readonly type: KeyType
  /** True: the key must be approved before it works. */
  readonly isPending: boolean
  /** The first word of the key: the installation's KEY_PREFIX. */
  readonly prefix: string
  readonly actor: string
}

export type CreatedKey = { readonly keyId: string; readonly key: string; readonly status: 'pending' | 'active' }

/**
 * Locks the account's row, so that racing calls for keys of one account run one after the other.
 * @throws AccountError when there is no such account
 */
export async function lockAccountOfKeys(tx: Tx, accountId: string): Promise<void> {
  const rows = tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate()
  if (!(await rows.executeTakeFirst())) throw new AccountError(`There is no account ${accountId}.`)
}

/** Writes a new key. @param addresses from where it may be used; none: from everywhere */
export async function insertKey(tx: Tx, request: NewKey, addresses: readonly string[] = []): Promise<CreatedKey> {
  const keyId = newId()
  // The database says which side it is, so no test key can be made on the real side, and no real key on the test side.
  const isTest = await isTestDatabase(tx)
  const key = makeKey(request.prefix, request.type, isTest)
  const status = request.isPending ? 'pending' : 'active'
  await tx
    .insertInto('api_keys')
    .values({
      id: keyId,
      account_id: request.accountId,
      type: request.type,
      digest: Buffer.from(keyDigest(key), 'hex'),
      prefix: keyPrefixOf(request.prefix, request.type, isTest),
      hint: keyHint(key),
      status,
      approved_at: request.isPending ? null : sql<Date>`clock_timestamp()`,
      allowed_addresses: [...addresses],
    })
    .execute()
  return { keyId, key, status }
}

/**
 * Creates a key and revokes the account's other keys of that type at once, even while the new one waits for approval (decision
 * S10). The account gets a notice of each revoked key. However many calls race, one live key is left. `rotateKey` lets the old
 * one work for some more days.
 *
 * @returns the key itself, which nothing can show again
 * @throws AccountError when there is no such account
 */
export async function createKey(tx: Tx, request: NewKey): Promise<CreatedKey> {
  await lockAccountOfKeys(tx, request.accountId)
  const revoked = await tx
    .updateTable('api_keys')
    .set({ status: 'revoked', revoked_at: sql<Date>`clock_timestamp()` })
    .where('account_id', '=', request.accountId)
    .where('type', '=', request.type)
    .where('status', '<>', 'revoked')
    .returning(['id', 'account_id as accountId', 'type', 'hint'])
    .execute()
  const made = await insertKey(tx, request)
  await appendOperatorLog(tx, {
    actor: request.actor,
    action: 'key create',
    subject: made.keyId,
    details: {
      account_id: request.accountId,
      type: request.type,
      status: made.status,
      revoked: revoked.map((row) => row.id),
    },
  })
  await notifyAccounts(
    tx,
    revoked.map((old) => keyRevokedNotice(old, { isReplaced: true })),
  )
  await queueWebhookEvents(
    tx,
    revoked.map((old) => keyEvent('key.revoked', old)),
  )
  await raiseEpoch(tx)
  return made
}
