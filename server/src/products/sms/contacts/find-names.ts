import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/**
 * Finds the names that an account has saved for these numbers: that of a contact in the chosen lists, else that of a customer,
 * else that of the contact that was added last.
 * @param recipients 233 and nine digits each
 */
export async function findSavedNames(
  db: Db,
  accountId: string,
  { recipients, listIds }: { readonly recipients: readonly string[]; readonly listIds: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ recipient: string; name: string }>`
    select distinct on (recipient) recipient, name from (
      select recipient, sms_contacts.name, case when list_id = any(${[...listIds]}::uuid[]) then 1 else 3 end as place, sms_contacts.created_at
      from sms_contacts join sms_lists on sms_lists.id = list_id
      where account_id = ${accountId} and list_id <> account_id and sms_contacts.name is not null
        and recipient = any(${recipients}::text[])
      union all
      select '233' || substr(number, 2), name, 2, created_at
      from customer_numbers join customers on customers.id = customer_id
      where customer_numbers.account_id = ${accountId}
        and number = any(${recipients.map((recipient) => `0${recipient.slice(3)}`)}::text[])
    ) as saved
    order by recipient, place, created_at desc`.execute(db)
  return new Map(rows.map(({ recipient, name }) => [recipient, name]))
}
