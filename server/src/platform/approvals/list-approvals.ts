import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { ApprovalRow } from './decide-approval.ts'

export type ApprovalsQuery = {
  /** `decided`: also expired ones. */
  readonly which: 'pending' | 'decided' | 'all'
  readonly limit: number
  /** The id of a proposal: only those after it in the list. */
  readonly after?: string | undefined
}

const conditions = {
  pending: sql`state = 'pending' and expires_at > now()`,
  decided: sql`(state <> 'pending' or expires_at <= now())`,
  all: sql`true`,
} as const

/** A proposal past its `expires_at` is shown as expired, even if it is not marked yet. */
const columns = sql`approvals.*, case when state = 'pending' and expires_at <= now() then 'expired' else state end as state`

export async function listApprovals(db: Db, { which, limit, after }: ApprovalsQuery): Promise<ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    select ${columns} from approvals
    where ${conditions[which]}
      and (${after ?? null}::uuid is null
        or (created_at, id) < (select created_at, id from approvals where id = ${after ?? null}::uuid))
    order by created_at desc, id desc
    limit ${limit}`.execute(db)
  return rows
}

export async function readApproval(db: Db, approvalId: string): Promise<ApprovalRow | undefined> {
  const { rows } = await sql<ApprovalRow>`select ${columns} from approvals where id = ${approvalId}::uuid`.execute(db)
  return rows[0]
}

/** The ids of the waiting proposals of one kind, by their subjects. */
export async function listProposalsOf(db: Db, { name }: { readonly name: string }): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('approvals')
    .select(['id', 'subject'])
    .where('kind', '=', name)
    .where('state', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .execute()
  return new Map(rows.map(({ id, subject }) => [subject, id]))
}
