import { sql } from 'kysely'
import type { ResellerNotice } from '../../notices/queue-notices.ts'
import type { Tx } from '../../platform/database/database.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { AccountError } from '../account.ts'
import { notifyAccounts } from '../notices/notify-accounts.ts'

function businessApprovedNotice(accountId: string, requestId: string): ResellerNotice {
  return {
    accountId,
    kind: 'business_approved',
    about: requestId,
    subject: 'Your business was approved',
    text: 'Your account was approved as a business: it may send SMS.\n\nWhat to do: make an SMS key in the dashboard, or write your first message there.',
    sms: 'Your account was approved as a business: it may send SMS from now on.',
  }
}

/** The SMS leaves out the reason, because it has no room for it. */
function businessDeclinedNotice(accountId: string, requestId: string, reason: string): ResellerNotice {
  return {
    accountId,
    kind: 'business_declined',
    about: requestId,
    subject: 'Your business was not approved',
    text: `Your request to be approved as a business was declined. Our reason: ${reason}\n\nWhat to do: correct what the reason names, then ask again in the dashboard.`,
    sms: 'Your request to be approved as a business was declined. The reason stands in the dashboard.',
  }
}

type Decision = { readonly state: 'approved' | 'declined'; readonly reason: string | null; readonly actor: string }

/** Ends the account's waiting request. @returns its id; undefined when none waits */
async function endWaitingRequest(tx: Tx, accountId: string, decision: Decision): Promise<string | undefined> {
  const ended = await tx
    .updateTable('business_requests')
    .set({
      state: decision.state,
      reason: decision.reason,
      decided_by: decision.actor,
      decided_at: sql<Date>`clock_timestamp()`,
    })
    .where('account_id', '=', accountId)
    .where('state', '=', 'waiting')
    .returning('id')
    .executeTakeFirst()
  return ended?.id
}

/** Approves the account's waiting request, if there is one, and notifies the account. */
export async function approveWaitingRequest(tx: Tx, accountId: string, actor: string): Promise<void> {
  const requestId = await endWaitingRequest(tx, accountId, { state: 'approved', reason: null, actor })
  if (requestId !== undefined) await notifyAccounts(tx, [businessApprovedNotice(accountId, requestId)])
}

/**
 * Declines the account's request to be approved as a business, and notifies it of the reason.
 *
 * @throws AccountError when no request of the account waits
 */
export async function declineBusinessRequest(
  tx: Tx,
  { accountId, reason, actor }: { accountId: string; reason: string; actor: string },
): Promise<{ requestId: string }> {
  const requestId = await endWaitingRequest(tx, accountId, { state: 'declined', reason, actor })
  if (requestId === undefined) throw new AccountError('No request of this account to be approved as a business waits.')
  const details = { request_id: requestId, reason, before: { state: 'waiting' }, after: { state: 'declined' } }
  await appendOperatorLog(tx, { actor, action: 'account decline-business', subject: accountId, details })
  await notifyAccounts(tx, [businessDeclinedNotice(accountId, requestId, reason)])
  return { requestId }
}
