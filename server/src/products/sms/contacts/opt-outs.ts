import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'

/**
 * The name of the list of numbers that opted out of an account's campaigns. The list has the account's id, so an account has at
 * most one.
 */
export const optOutName = 'Opted out'

/** Makes the account's list of opt-outs unless it exists. */
export async function openOptOutList(tx: Tx, accountId: string): Promise<void> {
  await sql`insert into sms_lists (id, account_id, name) values (${accountId}, ${accountId}, ${optOutName})
    on conflict (id) do nothing`.execute(tx)
}

/**
 * Finds the recipients that a campaign must leave out when it is placed. Those who opt out later are left out when it begins
 * (`expand-campaigns.ts`). We assume that a text to one number answers an action of its owner, such
 * as a sign-in. So it is sent even if the number has opted out of the account's campaigns.
 * @param recipients unique, 233 and nine digits each
 */
export async function findOptedOut(db: Db, accountId: string, recipients: readonly string[]): Promise<ReadonlySet<string>> {
  if (recipients.length < 2) return new Set()
  const { rows } = await sql<{ recipient: string }>`
    select recipient from sms_contacts where list_id = ${accountId} and recipient = any(${recipients}::text[])`.execute(db)
  return new Set(rows.map(({ recipient }) => recipient))
}
