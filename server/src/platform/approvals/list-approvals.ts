import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { ApprovalRow } from './decide-approval.ts'

/** Proposals, newest first: those that wait, or all. One whose time is over is shown as expired. */
export async function listApprovals(db: Db, query: { isPendingOnly: boolean; limit: number }): Promise<ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    select approvals.*, case when state = 'pending' and expires_at <= now() then 'expired' else state end as state
    from approvals
    where not ${query.isPendingOnly} or (state = 'pending' and expires_at > now())
    order by created_at desc, id desc
    limit ${query.limit}`.execute(db)
  return rows
}
