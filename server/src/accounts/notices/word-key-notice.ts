import type { ResellerNotice } from '../../notices/queue-reseller-notices.ts'
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
    text: `${key} was revoked${why}. It works no more: calls with it are refused.${reason === undefined ? '' : ` The operator’s reason: ${reason}`}\n\nWhat to do: ${next}`,
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
    text: `${key} was not approved. The operator’s reason: ${reason}\n\nWhat to do: correct what the reason names, then make another key in the dashboard.`,
    sms: `${key} was not approved. The reason stands in the dashboard.`,
  }
}
