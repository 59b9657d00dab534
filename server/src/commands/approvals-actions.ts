import { allApprovalKinds } from '../all-approval-kinds.ts'
import { readConfig } from '../config.ts'
import { describeProposal } from '../platform/approvals/approval-kind.ts'
import { type ApprovalRow, confirmApproval, refuseApproval } from '../platform/approvals/decide-approval.ts'
import { listApprovals } from '../platform/approvals/list-approvals.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { isId } from '../platform/database/read-id.ts'
import { askOnTerminal } from './frame/ask-on-terminal.ts'
import { UsageError } from './frame/command-error.ts'
import { personOf } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { checkText, readCount, readCursor } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type ListApprovalsOptions = { all?: true; limit: string; after?: string }
export type ConfirmOptions = { by: string; yes?: true }
export type RefuseOptions = { by: string; reason?: string }

const limitMax = 1_000

function checkApprovalId(text: string): void {
  if (!isId(text)) throw new UsageError(`${JSON.stringify(text)} is no id of a proposal. \`makola approvals list\` shows them.`)
}

const whatOf = (row: ApprovalRow) => describeProposal(allApprovalKinds, row)

const because = (reason: string) => (reason === '' ? '' : `: ${reason}`)

function view(row: ApprovalRow) {
  return {
    approval_id: row.id,
    status: row.state,
    kind: row.kind,
    subject: row.subject,
    what: whatOf(row),
    reason: row.reason,
    before: row.before,
    after: row.after,
    proposed_by: row.proposed_by,
    proposed_os_user: row.proposed_os_user,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_by: row.decided_by,
    decided_os_user: row.decided_os_user,
    decided_at: row.decided_at?.toISOString() ?? null,
    decision_note: row.decision_note,
  }
}

function describe(approval: ReturnType<typeof view>): string {
  const end = approval.decided_by === null ? approval.status : `${approval.status} by ${approval.decided_by}`
  const lines = [
    `${approval.approval_id}  ${approval.kind}  ${approval.status === 'pending' ? `until ${approval.expires_at}` : end}`,
    `  ${approval.what}${because(approval.reason)}`,
    `  proposed by ${approval.proposed_by} (${approval.proposed_os_user}); then ${approval.before} → ${approval.after}`,
  ]
  return lines.join('\n')
}

export async function runApprovalsList(options: ListApprovalsOptions): Promise<void> {
  const limit = readCount('--limit', options.limit, { least: 1, most: limitMax })
  const which = options.all === true ? 'all' : 'pending'
  const after = options.after === undefined ? undefined : readCursor(options.after)
  // One more than is shown, to know whether there is a next page.
  const rows = await withDatabase(readConfig(), (db) => listApprovals(db, { which, limit: limit + 1, after }))
  const approvals = rows.slice(0, limit).map(view)
  const next = rows.length > limit ? (approvals.at(-1)?.approval_id ?? null) : null
  const more = next === null ? [] : [`There is more: --after ${next}`]
  printResult({ approvals, next }, [...approvals.map(describe), ...more].join('\n') || 'Nothing waits for a second person.')
}

export async function runApprovalsConfirm(approvalId: string, options: ConfirmOptions): Promise<void> {
  checkApprovalId(approvalId)
  checkText('--by', options.by)
  const person = personOf(options.by)
  const { what, change } = await withDatabase(readConfig(), async (db) => {
    const row = await db.selectFrom('approvals').selectAll().where('id', '=', approvalId).executeTakeFirst()
    if (row)
      await askOnTerminal(`${row.proposed_by} wants to ${whatOf(row)}${because(row.reason)}. Confirm?`, options.yes === true)
    return inTransaction(db, (tx) => confirmApproval(tx, allApprovalKinds, { approvalId, person }))
  })
  printResult({ approval_id: approvalId, status: 'done' }, `Done: ${what}. ${change.before} → ${change.after}.`)
}

export async function runApprovalsRefuse(approvalId: string, options: RefuseOptions): Promise<void> {
  checkApprovalId(approvalId)
  checkText('--by', options.by)
  checkText('--reason', options.reason)
  const person = personOf(options.by)
  const decision = { approvalId, person, note: options.reason }
  await withDatabase(readConfig(), (db) => inTransaction(db, (tx) => refuseApproval(tx, decision)))
  printResult({ approval_id: approvalId, status: 'refused' }, 'Refused: nothing was done.')
}
