import { sql } from 'kysely'
import { queueWebhookEvents } from '../notices/webhooks/queue-webhook-events.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { raiseEpoch } from '../platform/database/epoch.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { lockKey } from './lock-key.ts'
import { keyDeclinedNotice, keyEvent, keyRevokedNotice } from './notices/key-notices.ts'
import { notifyAccounts } from './notices/notify-accounts.ts'

/**
 * Revokes a key for good, on every process within a second (decision S11). Revoking it again changes nothing. Its owner gets a
 * notice, with the reason if one is given. The notice says whether another key replaced it or, for a pending key with a reason,
 * that the key was declined.
 *
 * @throws AccountError when there is no such key
 */
export async function revokeKey(
  tx: Tx,
  request: { keyId: string; actor: string; reason?: string | undefined },
): Promise<{ keyId: string; status: 'revoked' }> {
  const key = await lockKey(tx, request.keyId)
  if (key.status !== 'revoked') {
    await tx
      .updateTable('api_keys')
      .set({ status: 'revoked', revoked_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', key.id)
      .execute()
    const { reason } = request
    await appendOperatorLog(tx, {
      actor: request.actor,
      action: 'key revoke',
      subject: key.id,
      details: {
        account_id: key.accountId,
        type: key.type,
        ...(reason !== undefined && { reason }),
        before: { status: key.status },
        after: { status: 'revoked' },
      },
    })
    const isDeclined = key.status === 'pending' && reason !== undefined
    await notifyAccounts(tx, [
      isDeclined ? keyDeclinedNotice(key, reason) : keyRevokedNotice(key, { isReplaced: key.endsAt !== null, reason }),
    ])
    await queueWebhookEvents(tx, [keyEvent('key.revoked', key)])
    await raiseEpoch(tx)
  }
  return { keyId: key.id, status: 'revoked' }
}

const isOver = sql<boolean>`status <> 'revoked' and ends_at is not null and ends_at <= clock_timestamp()`

/** Revokes the keys whose end has come. They are refused from then on anyway; this notifies the owners. */
export async function endKeys(db: Db): Promise<void> {
  const keys = await db.selectFrom('api_keys').select('id').where(isOver).limit(100).execute()
  for (const { id } of keys) await inTransaction(db, (tx) => revokeKey(tx, { keyId: id, actor: 'worker' }))
}

export const endKeysTimer = (db: Db): Timer => ({
  name: 'keys that end',
  everySeconds: 15,
  isExclusive: true,
  isDue: sql<boolean>`exists (select from api_keys where ${isOver})`,
  run: () => endKeys(db),
})
