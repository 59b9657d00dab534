import type { ResellerNotice } from '../../notices/queue-notices.ts'
import type { WebhookEvent } from '../../notices/webhooks/queue-webhook-events.ts'
import { showMoment } from '../../platform/texts-for-people.ts'
import type { KeyType } from '../caller.ts'

export type KeyInNotice = {
  readonly id: string
  readonly accountId: string
  readonly type: KeyType
  /** The last four characters of the key. */
  readonly hint: string
}

const areas: Readonly<Record<KeyType, string>> = { standard: 'standard', sms: 'SMS', commission: 'commission' }

export function keyApprovedNotice({ id, accountId, type, hint }: KeyInNotice): ResellerNotice {
  const key = `Your ${areas[type]} key that ends in ${hint}`
  return {
    accountId,
    kind: 'key_approved',
    about: id,
    subject: `Your key …${hint} was approved`,
    text: `${key} was approved and works from now on.\n\nWhat to do: nothing, your program can call the API with it.`,
    sms: `${key} was approved and works from now on.`,
  }
}

/** The notice of a key that replaces another one. The old key works for some more days. */
export function keyRotatedNotice(
  { id, accountId, type, hint }: KeyInNotice,
  old: { readonly hint: string; readonly endsAt: Date },
): ResellerNotice {
  const made = `A new ${areas[type]} key that ends in ${hint} was made for your account`
  const end = showMoment(old.endsAt)
  return {
    accountId,
    kind: 'key_approved',
    about: id,
    subject: `A new key …${hint} was made`,
    text: `${made} and works from now on. The old one, which ends in ${old.hint}, works until ${end}.\n\nWhat to do: put the new key into your program, then revoke the old one in the dashboard. If you did not ask for a new key, write to us at once.`,
    sms: `${made}. The one that ends in ${old.hint} works until ${end}.`,
  }
}

export function keyRevokedNotice(
  { id, accountId, type, hint }: KeyInNotice,
  { isReplaced, reason }: { readonly isReplaced: boolean; readonly reason?: string | undefined },
): ResellerNotice {
  const key = `Your ${areas[type]} key that ends in ${hint}`
  const why = isReplaced ? ` because a new ${areas[type]} key was made for your account` : ''
  const next = isReplaced
    ? 'put the new key into your program. If you did not ask for a new key, write to us at once.'
    : 'if you did not ask for this, write to us; you need another key to call the API.'
  return {
    accountId,
    kind: 'key_revoked',
    about: id,
    subject: `Your key …${hint} was revoked`,
    text: `${key} was revoked${why}. It works no more: calls with it are refused.${reason === undefined ? '' : ` Our reason: ${reason}`}\n\nWhat to do: ${next}`,
    sms: `${key} was revoked${why}. Calls with it are refused.`,
  }
}

/** The SMS leaves out the reason, because it has no room for it. */
export function keyDeclinedNotice({ id, accountId, type, hint }: KeyInNotice, reason: string): ResellerNotice {
  const key = `Your ${areas[type]} key that ends in ${hint}`
  return {
    accountId,
    kind: 'key_revoked',
    about: id,
    subject: `Your key …${hint} was not approved`,
    text: `${key} was not approved. Our reason: ${reason}\n\nWhat to do: correct what the reason names, then make another key in the dashboard.`,
    sms: `${key} was not approved. The reason stands in the dashboard.`,
  }
}

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
