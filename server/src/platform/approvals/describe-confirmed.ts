import type { Db } from '../database/database.ts'

/** Tells the second person which proposal they have confirmed by proposing the same. */
export async function describeConfirmed(db: Db, approvalId: string): Promise<string> {
  const {
    proposed_by: by,
    created_at: at,
    reason,
  } = await db
    .selectFrom('approvals')
    .select(['proposed_by', 'created_at', 'reason'])
    .where('id', '=', approvalId)
    .executeTakeFirstOrThrow()
  return `Two people said it: this confirmed proposal ${approvalId} of ${by} from ${at.toISOString()}${reason === '' ? '' : ` (${reason})`}.`
}
