import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { raiseEpoch } from '../platform/database/epoch.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { showMoment } from '../platform/texts-for-people.ts'
import { type Account, AccountValueError } from './account.ts'
import type { Role } from './caller.ts'
import { readAccount } from './find-account.ts'

/**
 * Checks a new expiry by the database's clock: only that clock decides when a role ends.
 *
 * @throws AccountValueError when the expiry has passed, or the role is `customer`, which never ends
 */
export async function checkRoleExpiry(tx: Tx, role: Role, expiresAt: Date | null): Promise<void> {
  if (expiresAt === null) return
  if (role === 'customer') throw new AccountValueError('A customer has no expiry: leave it out, or choose agent or dealer.')
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
  const now = rows[0]?.now
  if (now && expiresAt.getTime() <= now.getTime()) {
    throw new AccountValueError(`The expiry ${showMoment(expiresAt)} has already passed. Leave it out for a lifetime role.`)
  }
}

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
