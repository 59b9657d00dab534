import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** The account holder's name that the order's suppliers reported last. Undefined when none reported one. */
export async function findAccountName(db: Db, orderId: string): Promise<string | undefined> {
  const { rows } = await sql<{ account_name: string }>`
    select account_name
    from attempt_answers
    where order_id = ${orderId} and account_name is not null
    order by answer_no desc limit 1`.execute(db)
  return rows[0]?.account_name
}
