import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export async function hasOrdered(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from orders where account_id = ${accountId}) as has`.execute(db)
  return rows[0]?.has ?? false
}
