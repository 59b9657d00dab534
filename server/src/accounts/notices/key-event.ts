import type { WebhookEvent } from '../../notices/webhooks/queue-webhook-events.ts'
import type { KeyType } from '../caller.ts'

/** The webhook event for a key that was approved or revoked. It shows the last four characters of the key and no more. */
export const keyEvent = (
  type: 'key.approved' | 'key.revoked',
  key: { readonly id: string; readonly accountId: string; readonly type: KeyType; readonly hint: string },
): WebhookEvent => ({
  accountId: key.accountId,
  type,
  subject: key.id,
  data: { key_id: key.id, key_type: key.type, key_hint: key.hint },
})
