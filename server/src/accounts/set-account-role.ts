import type { Tx } from '../platform/database/database.ts'
import { raiseEpoch } from '../platform/database/epoch.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import type { Account } from './account.ts'
import type { Role } from './caller.ts'
import { checkRoleExpiry } from './check-role-expiry.ts'
import { readAccount } from './find-account.ts'

/**
 * Gives an account a role, for life or until `roleExpiresAt`. Every process follows within a second.
 *
 * @throws AccountError when there is no such account, or the expiry is not acceptable
 */
export async function setAccountRole(
  tx: Tx,
  change: { accountId: string; role: Role; roleExpiresAt: Date | null; reason?: string; actor: string },
): Promise<Account> {
  // The row is locked, so that `before` in the log is the value that this change replaces.
  await tx.selectFrom('accounts').select('id').where('id', '=', change.accountId).forUpdate().execute()
  const before = await readAccount(tx, change.accountId)
  await checkRoleExpiry(tx, change.role, change.roleExpiresAt)
  await tx
    .updateTable('accounts')
    .set({ role: change.role, role_expires_at: change.roleExpiresAt })
    .where('id', '=', change.accountId)
    .execute()
  await appendOperatorLog(tx, {
    actor: change.actor,
    action: 'account set-role',
    subject: change.accountId,
    details: {
      before: { role: before.role, expires_at: before.roleExpiresAt?.toISOString() ?? null },
      after: { role: change.role, expires_at: change.roleExpiresAt?.toISOString() ?? null },
      ...(change.reason !== undefined && { reason: change.reason }),
    },
  })
  await raiseEpoch(tx)
  return readAccount(tx, change.accountId)
}
