import { resellerSmsNotices } from '../../notices/notices.settings.ts'
import { type CourtesyChannel, queueResellerNotices, type ResellerNotice } from '../../notices/queue-notices.ts'
import type { ResellerContact } from '../../notices/send-reseller-notices.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { readSetting } from '../../platform/settings/settings.ts'

type Choices = { readonly phone: string | null; readonly muted: readonly string[] }

/** Reads the choices of these accounts about notices. Accounts without choices are left out. */
async function readChoices(tx: Tx, accountIds: readonly string[]): Promise<ReadonlyMap<string, Choices>> {
  const rows = await tx
    .selectFrom('account_notice_settings')
    .select(['account_id', 'phone', 'muted'])
    .where('account_id', 'in', accountIds)
    .execute()
  return new Map(rows.map((row) => [row.account_id, row]))
}

/**
 * Writes notices to resellers in the transaction of their cause: by mail and, where the operator allows it and the account has
 * a number, by SMS. Notices that the account switched off are left out. A worker sends them. A notice of one kind about one
 * thing is written only once for each channel.
 */
export async function notifyAccounts(tx: Tx, notices: readonly ResellerNotice[]): Promise<void> {
  if (notices.length === 0) return
  const choices = await readChoices(tx, [...new Set(notices.map(({ accountId }) => accountId))])
  const hasPhones = [...choices.values()].some(({ phone }) => phone !== null)
  const isSmsAllowed = hasPhones && (await readSetting(tx, resellerSmsNotices))
  const channelsOf = ({ accountId, kind }: ResellerNotice): CourtesyChannel[] => {
    const { phone, muted } = choices.get(accountId) ?? { phone: null, muted: [] }
    const ways: CourtesyChannel[] = isSmsAllowed && phone !== null ? ['email', 'sms'] : ['email']
    return ways.filter((channel) => !muted.includes(`${kind}/${channel}`))
  }
  await queueResellerNotices(
    tx,
    notices.map((notice) => ({ ...notice, channels: channelsOf(notice) })),
  )
}

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
