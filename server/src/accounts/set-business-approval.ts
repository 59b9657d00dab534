import type { Tx } from '../platform/database/database.ts'
import { raiseEpoch } from '../platform/database/epoch.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import type { Account } from './account.ts'
import { approveWaitingRequest } from './business/decide-business-request.ts'
import { readAccount } from './find-account.ts'

/**
 * Approves an account as a business, which it needs to send SMS (contract, Authentication; decision S10: keys and
 * businesses are approved), or withdraws the approval. Earlier orders go on. The approval also answers the account's
 * waiting request.
 *
 * @throws AccountError when there is no such account
 */
export async function setBusinessApproval(
  tx: Tx,
  change: { accountId: string; isBusiness: boolean; actor: string },
): Promise<Account> {
  // The row is locked, so that `before` in the log is the value that this change replaces. The lock lets rows be written that
  // refer to the account: a request that is declined at this moment has its notice to write.
  await tx.selectFrom('accounts').select('id').where('id', '=', change.accountId).forNoKeyUpdate().execute()
  const { isBusiness: before } = await readAccount(tx, change.accountId)
  await tx.updateTable('accounts').set({ is_business: change.isBusiness }).where('id', '=', change.accountId).execute()
  await appendOperatorLog(tx, {
    actor: change.actor,
    action: change.isBusiness ? 'account approve-business' : 'account withdraw-business',
    subject: change.accountId,
    details: { before: { business: before }, after: { business: change.isBusiness } },
  })
  if (change.isBusiness) await approveWaitingRequest(tx, change.accountId, change.actor)
  await raiseEpoch(tx)
  return readAccount(tx, change.accountId)
}
