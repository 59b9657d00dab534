import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { showMoment } from '../platform/show-moment.ts'
import { AccountValueError } from './account-error.ts'
import type { Role } from './caller.ts'

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
