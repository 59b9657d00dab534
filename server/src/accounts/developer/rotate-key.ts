import { sql } from 'kysely'
import { queueWebhookEvents } from '../../notices/webhooks/queue-webhook-events.ts'
import type { Tx } from '../../platform/database/database.ts'
import { raiseEpoch } from '../../platform/database/epoch.ts'
import { isId } from '../../platform/database/read-id.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { type CreatedKey, insertKey, lockAccountOfKeys } from '../create-key.ts'
import { readKey } from '../list-keys.ts'
import { lockKey } from '../lock-key.ts'
import { keyHint } from '../make-key.ts'
import { keyEvent, keyRotatedNotice } from '../notices/key-notices.ts'
import { notifyAccounts } from '../notices/notify-accounts.ts'
import { developerRefusals } from './developer.refusals.ts'

/** An old key works at most this many days beside the key that replaces it. */
export const oldKeyDays = 7

export type RotatedKey = CreatedKey & { readonly oldKeyEndsAt: Date }

/**
 * Makes a key that replaces an active one. The new key works at once, from the addresses of the old one. The old key works
 * until it is revoked, for `oldKeyDays` at most. If it has an end already, it keeps that end. The account's owner gets a
 * notice, because an intruder may have made the key.
 *
 * @returns the key itself, which nothing can show again
 * @throws AccountError when there is no such key, RefusalError 409 when it is not active or another one of its type is live
 */
export async function rotateKey(
  tx: Tx,
  request: { readonly keyId: string; readonly prefix: string; readonly actor: string },
): Promise<RotatedKey> {
  const known = isId(request.keyId) ? await readKey(tx, request.keyId) : undefined
  // The account is locked before its keys, as `createKey` does it.
  if (known) await lockAccountOfKeys(tx, known.accountId)
  const old = await lockKey(tx, request.keyId)
  const { accountId, type } = old
  if (old.status !== 'active') throw new RefusalError(developerRefusals.keyIsNotActive)
  const others = tx.selectFrom('api_keys').select('id').where('account_id', '=', accountId).where('type', '=', type)
  if (await others.where('status', '<>', 'revoked').where('id', '<>', old.id).executeTakeFirst()) {
    throw new RefusalError(developerRefusals.keyRotatedAlready)
  }
  const { endsAt } = await tx
    .updateTable('api_keys')
    .set({ ends_at: sql<Date>`coalesce(ends_at, clock_timestamp() + make_interval(days => ${oldKeyDays}))` })
    .where('id', '=', old.id)
    .returning(sql<Date>`ends_at`.as('endsAt'))
    .executeTakeFirstOrThrow()
  const made = await insertKey(tx, { ...request, accountId, type, isPending: false }, old.addresses)
  const details = { account_id: accountId, type, old: old.id, old_ends_at: endsAt.toISOString() }
  await appendOperatorLog(tx, { actor: request.actor, action: 'key rotate', subject: made.keyId, details })
  const successor = { id: made.keyId, accountId, type, hint: keyHint(made.key) }
  await notifyAccounts(tx, [keyRotatedNotice(successor, { hint: old.hint, endsAt })])
  await queueWebhookEvents(tx, [keyEvent('key.approved', successor)])
  await raiseEpoch(tx)
  return { ...made, oldKeyEndsAt: endsAt }
}
