import { queueResellerNotices, type ResellerNotice } from '../../notices/queue-reseller-notices.ts'
import { resellerSmsNotices } from '../../notices/reseller-notices.settings.ts'
import type { Tx } from '../../platform/database/database.ts'
import { readSetting } from '../../platform/settings/settings.ts'

/** The accounts among these that are told by SMS, too. */
async function listToldBySms(tx: Tx, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('account_notice_settings')
    .select('account_id')
    .where('account_id', 'in', accountIds)
    .where('phone', 'is not', null)
    .execute()
  if (rows.length === 0 || !(await readSetting(tx, resellerSmsNotices))) return new Set()
  return new Set(rows.map((row) => row.account_id))
}

/**
 * Notes what resellers are to be told, in the transaction of the cause: by mail, and by SMS where the operator allows
 * it and the account has a number. A worker sends it. What was noted before is not noted again.
 */
export async function tellAccounts(tx: Tx, notices: readonly ResellerNotice[]): Promise<void> {
  if (notices.length === 0) return
  const bySms = await listToldBySms(tx, [...new Set(notices.map(({ accountId }) => accountId))])
  await queueResellerNotices(
    tx,
    notices.map((notice) => ({ ...notice, channels: bySms.has(notice.accountId) ? ['email', 'sms'] : ['email'] })),
  )
}
