import type { ResellerContact } from '../../notices/send-reseller-notices.ts'
import type { Db } from '../../platform/database/database.ts'

export async function findContacts(db: Db, accountIds: readonly string[]): Promise<Map<string, ResellerContact>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('accounts')
    .leftJoin('account_notice_settings', 'account_notice_settings.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'account_notice_settings.phone'])
    .where('accounts.id', 'in', accountIds)
    .execute()
  return new Map(rows.map(({ id, name, email, phone }) => [id, { name, email, phone }]))
}
