import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { MutedNotice } from '../../notices/notice-kinds.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'

export type AccountNotices = {
  /** A lower balance of the main wallet sends a notice; null: never. */
  readonly lowBalancePesewas: Pesewas | null
  /** The number for SMS, 233 and nine digits. Null: no SMS are sent. */
  readonly phone: string | null
  /** The notices that the account switched off. */
  readonly muted: readonly MutedNotice[]
}

export async function readAccountNotices(db: Db, accountId: string): Promise<AccountNotices> {
  const row = await db
    .selectFrom('account_notice_settings')
    .select(['low_balance', 'phone', 'muted'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return {
    lowBalancePesewas: row?.low_balance == null ? null : pesewas(row.low_balance),
    phone: row?.phone ?? null,
    muted: row?.muted ?? [],
  }
}

const forLog = ({ lowBalancePesewas, phone, muted }: AccountNotices) => ({ low_balance: lowBalancePesewas, phone, muted })

/**
 * Sets an account's choices; fields left out do not change. After a change of the threshold, a balance below it sends a notice,
 * even when the account already got one for the old threshold.
 */
export async function setAccountNotices(
  tx: Tx,
  change: Partial<AccountNotices> & { readonly accountId: string; readonly actor: string },
): Promise<AccountNotices> {
  const { accountId, actor } = change
  await tx
    .insertInto('account_notice_settings')
    .values({ account_id: accountId, low_balance: null, phone: null })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute()
  await sql`select from account_notice_settings where account_id = ${accountId} for update`.execute(tx)
  const before = await readAccountNotices(tx, accountId)
  const after: AccountNotices = {
    lowBalancePesewas: change.lowBalancePesewas === undefined ? before.lowBalancePesewas : change.lowBalancePesewas,
    phone: change.phone === undefined ? before.phone : change.phone,
    muted: change.muted ?? before.muted,
  }
  await sql`
    update account_notice_settings
    set low_balance = ${after.lowBalancePesewas}, phone = ${after.phone}, muted = ${after.muted}::text[], updated_at = clock_timestamp(),
      low_since = case when low_balance is distinct from ${after.lowBalancePesewas}::bigint then null else low_since end
    where account_id = ${accountId}`.execute(tx)
  await appendOperatorLog(tx, {
    actor,
    action: 'account set-notices',
    subject: accountId,
    details: { before: forLog(before), after: forLog(after) },
  })
  return after
}
