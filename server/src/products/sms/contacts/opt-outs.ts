import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'

/** Name of the list of an account that has the numbers that opted out. Its id is the account's, so an account has one at most. */
export const optOutName = 'Opted out'

/** The list is made when the first number opts out. */
export async function openOptOutList(tx: Tx, accountId: string): Promise<void> {
  await sql`insert into sms_lists (id, account_id, name) values (${accountId}, ${accountId}, ${optOutName})
    on conflict (id) do nothing`.execute(tx)
}

/**
 * Finds the recipients that a campaign must leave out. A text to one number answers an act of its owner, such as a sign-in, so
 * it is sent even if the number has opted out of the account's campaigns.
 * @param recipients unique, 233 and nine digits each
 */
export async function findOptedOut(db: Db, accountId: string, recipients: readonly string[]): Promise<ReadonlySet<string>> {
  if (recipients.length < 2) return new Set()
  const { rows } = await sql<{ recipient: string }>`
    select recipient from sms_contacts where list_id = ${accountId} and recipient = any(${recipients}::text[])`.execute(db)
  return new Set(rows.map(({ recipient }) => recipient))
}
