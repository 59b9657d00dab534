import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { ApprovalRow } from './decide-approval.ts'

export type ApprovalsQuery = {
  readonly isPendingOnly: boolean
  readonly limit: number
  /** Only proposals that come after this one in the list. */
  readonly after?: string | undefined
}

/** Proposals, newest first: those that wait, or all. One whose time is over is shown as expired. */
export async function listApprovals(db: Db, { isPendingOnly, limit, after }: ApprovalsQuery): Promise<ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    select approvals.*, case when state = 'pending' and expires_at <= now() then 'expired' else state end as state
    from approvals
    where (not ${isPendingOnly} or (state = 'pending' and expires_at > now()))
      and (${after ?? null}::uuid is null
        or (created_at, id) < (select created_at, id from approvals where id = ${after ?? null}::uuid))
    order by created_at desc, id desc
    limit ${limit}`.execute(db)
  return rows
}
