import type { Tx } from '../platform/database/database.ts'
import { raiseEpoch } from '../platform/database/epoch.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import type { Account } from './account.ts'
import { readAccount } from './find-account.ts'

/**
 * Suspends an account or ends its suspension, on every process within a second: a suspended account buys nothing, and all
 * its keys are answered 403 (decisions S9: role and state as they are under the lock; S11). Its earlier orders go on.
 *
 * @throws AccountError when there is no such account
 */
export async function setAccountStatus(
  tx: Tx,
  change: { accountId: string; status: 'active' | 'suspended'; reason?: string; actor: string },
): Promise<Account> {
  // The row is locked, so that `before` in the log is the value that this change replaces.
  await tx.selectFrom('accounts').select('id').where('id', '=', change.accountId).forUpdate().execute()
  const before = await readAccount(tx, change.accountId)
  await tx.updateTable('accounts').set({ status: change.status }).where('id', '=', change.accountId).execute()
  await appendOperatorLog(tx, {
    actor: change.actor,
    action: change.status === 'suspended' ? 'account suspend' : 'account reactivate',
    subject: change.accountId,
    details: {
      before: { status: before.status },
      after: { status: change.status },
      ...(change.reason !== undefined && { reason: change.reason }),
    },
  })
  await raiseEpoch(tx)
  return readAccount(tx, change.accountId)
}
