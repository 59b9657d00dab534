import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** A sender with the account that requested it; the pool's senders have none. */
export type DeskSender = {
  readonly senderId: string
  readonly sender: string
  readonly accountId: string | null
  readonly account: string | null
  readonly accountName: string | null
  readonly status: 'requested' | 'approved' | 'rejected'
  readonly isDefault: boolean
  readonly requestedAt: Date
  readonly decidedAt: Date | null
  readonly decidedBy: string | null
  readonly reason: string | null
  /** How many campaigns the account has, counted up to 100. */
  readonly campaigns: number
}

export const deskSendersPerPage = 100

const campaignsCounted = 100

/** A sender of the pool belongs to no account. */
export const senderGroups = ['waiting', 'decided', 'pool'] as const
export type SenderGroup = (typeof senderGroups)[number]

const conditions = {
  waiting: sql`account_id is not null and status = 'requested'`,
  decided: sql`account_id is not null and status <> 'requested'`,
  pool: sql`account_id is null`,
} as const

/** Lists senders: waiting ones oldest first, the others newest first. */
export async function listDeskSenders(
  db: Db,
  { group, after }: { readonly group: SenderGroup; readonly after?: string | undefined },
): Promise<readonly DeskSender[]> {
  const isWaiting = group === 'waiting'
  const [direction, isBehind] = isWaiting ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`]
  const { rows } = await sql<DeskSender>`
    select sms_senders.id as "senderId", sender, account_id as "accountId", account.email as account, account.name as "accountName", status,
      is_default as "isDefault", requested_at as "requestedAt", decided_at as "decidedAt", decided_by as "decidedBy", reason,
      (select count(*)::int from (
        select from sms_campaigns where sms_campaigns.account_id = sms_senders.account_id limit ${campaignsCounted}) as sent) as campaigns
    from sms_senders
    left join lateral (select email, name from accounts where accounts.id = sms_senders.account_id limit 1) as account on true
    where ${conditions[group]} and (${after ?? null}::uuid is null
      or (requested_at, sms_senders.id) ${isBehind} (select requested_at, id from sms_senders where id = ${after ?? null}::uuid))
    order by requested_at ${direction}, sms_senders.id ${direction} limit ${deskSendersPerPage}`.execute(db)
  return rows
}
