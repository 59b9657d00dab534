import { sql } from 'kysely'
import type { ResellerNotice } from '../../notices/queue-notices.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { notifyAccounts } from './notify-accounts.ts'

/** Days before the end of a role at which its holder gets a notice. */
const stepDays = [14, 3, 1]

type Expiring = { account_id: string; role: string; role_expires_at: Date; step: number }

/** Lists the active accounts whose role ends soon, each with the nearest step that it has passed. */
async function listExpiring(db: Db): Promise<Expiring[]> {
  const { rows } = await sql<Expiring>`
    select accounts.id as account_id, accounts.role, accounts.role_expires_at, min(step) as step
    from accounts join unnest(${stepDays}::integer[]) as step
      on accounts.role_expires_at <= clock_timestamp() + make_interval(days => step)
    where accounts.role_expires_at > clock_timestamp() and accounts.status = 'active'
    group by accounts.id`.execute(db)
  return rows
}

/** Writes a moment as `6 December 2026 at 12:00 GMT`, because Ghana's time is GMT. */
function describeMoment(moment: Date): string {
  const day = moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return `${day} at ${moment.toISOString().slice(11, 16)} GMT`
}

function expiryNotice({ account_id, role, role_expires_at, step }: Expiring): ResellerNotice {
  const end = describeMoment(role_expires_at)
  return {
    accountId: account_id,
    kind: 'role_expires',
    about: `${role_expires_at.toISOString()} ${step} days before`,
    subject: `Your role as ${role} ends on ${end}`,
    text: `Your role as ${role} ends on ${end}. From then on your orders cost what a customer pays.\n\nWhat to do: to keep your prices, have the role renewed before that moment.`,
    sms: `Your role as ${role} ends on ${end}. Have it renewed to keep your prices.`,
  }
}

/**
 * Notifies accounts that their role ends soon: once for each number of days in `stepDays`. A role that is given for fewer days
 * than some of these gets the notice of the nearest number at once. A new date of expiry gets its own notices.
 */
export async function watchRoleExpiries(db: Db): Promise<void> {
  const expiring = await listExpiring(db)
  await inTransaction(db, (tx) => notifyAccounts(tx, expiring.map(expiryNotice)))
}
