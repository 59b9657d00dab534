import { sql } from 'kysely'
import { queueWebhookEvents } from '../notices/webhooks/queue-webhook-events.ts'
import type { Tx } from '../platform/database/database.ts'
import { raiseEpoch } from '../platform/database/epoch.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { AccountError } from './account.ts'
import { lockKey } from './lock-key.ts'
import { keyApprovedNotice, keyEvent } from './notices/key-notices.ts'
import { notifyAccounts } from './notices/notify-accounts.ts'

/**
 * Makes a pending key active, and notifies its owner. Approving an active key changes nothing.
 * @throws AccountError when there is no such key, or when it was revoked
 */
export async function approveKey(
  tx: Tx,
  request: { keyId: string; actor: string },
): Promise<{ keyId: string; status: 'active' }> {
  const key = await lockKey(tx, request.keyId)
  if (key.status === 'revoked') throw new AccountError('This key was revoked and cannot be approved. Create a new one.')
  if (key.status === 'pending') {
    await tx
      .updateTable('api_keys')
      .set({ status: 'active', approved_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', key.id)
      .execute()
    const details = { account_id: key.accountId, type: key.type, before: { status: key.status }, after: { status: 'active' } }
    await appendOperatorLog(tx, { actor: request.actor, action: 'key approve', subject: key.id, details })
    await notifyAccounts(tx, [keyApprovedNotice(key)])
    await queueWebhookEvents(tx, [keyEvent('key.approved', key)])
    await raiseEpoch(tx)
  }
  return { keyId: key.id, status: 'active' }
}
