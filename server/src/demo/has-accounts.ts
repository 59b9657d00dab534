import type { Db, Tx } from '../platform/database/database.ts'

export async function hasAccounts(db: Db | Tx): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}
