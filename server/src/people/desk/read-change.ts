import { sql } from 'kysely'
import Value from 'typebox/value'
import { type ApprovalKind, ApprovalRefusedError } from '../../platform/approvals/approval-kind.ts'
import type { ApprovalRow } from '../../platform/approvals/decide-approval.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'

type ShownChange = { readonly before: string | null; readonly after: string | null; readonly why_not: string | null }

/** Reads the change that a confirmation made, from its line in the operator's log. */
async function readConfirmedChange(
  db: Db,
  { id, kind, subject }: ApprovalRow,
): Promise<Omit<ShownChange, 'why_not'> | undefined> {
  const { rows } = await sql<{ before: string | null; after: string | null }>`
    select details ->> 'before' as before, details ->> 'after' as after from operator_log
    where lower(subject) = ${subject.toLowerCase()} and action = ${`${kind} confirm`} and details ->> 'approval_id' = ${id}
    order by at desc, operator_log.id desc limit 1`.execute(db)
  return rows[0]
}

/**
 * Reads the change of a proposal. Waiting: the change as it would be now, with the reason if it cannot be confirmed any
 * more. Confirmed: the change that was made. Otherwise: the change that was expected when it was proposed.
 */
export async function readChange(db: Db, kinds: readonly ApprovalKind[], row: ApprovalRow): Promise<ShownChange> {
  const foreseen = { before: row.before, after: row.after, why_not: null }
  if (row.state === 'done') return { ...foreseen, ...(await readConfirmedChange(db, row)) }
  const kind = kinds.find(({ name }) => name === row.kind)
  const { request } = row
  if (row.state !== 'pending' || !kind || !Value.Check(kind.schema, request)) return foreseen
  try {
    return { ...(await inTransaction(db, (tx) => kind.lockAndPreview(tx, request))), why_not: null }
  } catch (error) {
    if (!(error instanceof ApprovalRefusedError)) throw error
    return { ...foreseen, why_not: error.message }
  }
}
