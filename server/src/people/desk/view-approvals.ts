import { type ApprovalKind, accountOfProposal, describeProposal } from '../../platform/approvals/approval-kind.ts'
import type { ApprovalRow } from '../../platform/approvals/decide-approval.ts'
import { isProposer } from '../../platform/approvals/people.ts'
import type { Db } from '../../platform/database/database.ts'
import { readId } from '../../platform/database/read-id.ts'
import { approvalPermissions } from '../permissions/approval-permissions.ts'
import { permissionsOfStaff, type StaffPermission, type StaffRole } from '../permissions/staff-permissions.ts'
import { withNames } from './with-names.ts'

/** The member of the staff who reads the queue. */
export type Reader = {
  readonly email: string
  readonly personId: string
  readonly role: StaffRole
  readonly owns: (accountId: string) => boolean
}

type NamedAccount = { account_id: string; name: string; email: string }

type OfAccount = { readonly row: ApprovalRow; readonly accountId: string | undefined }

/**
 * Finds the accounts that proposals are about. An old proposal, of a kind that this version does not know, has only a subject.
 */
async function findAccounts(db: Db, kinds: readonly ApprovalKind[], rows: readonly ApprovalRow[]): Promise<OfAccount[]> {
  const found: OfAccount[] = []
  for (const row of rows) found.push({ row, accountId: (await accountOfProposal(db, kinds, row)) ?? readId(row.subject) })
  return found
}

async function readAccounts(db: Db, found: readonly OfAccount[]): Promise<ReadonlyMap<string, NamedAccount>> {
  const ids = found.map(({ accountId }) => accountId).filter((id) => id !== undefined)
  if (ids.length === 0) return new Map()
  const accounts = await db.selectFrom('accounts').select(['id as account_id', 'name', 'email']).where('id', 'in', ids).execute()
  return new Map(accounts.map((account) => [account.account_id, account]))
}

/** The permission to decide a proposal; null when nobody at the desk can. */
export function permissionToDecide(row: Pick<ApprovalRow, 'kind'>): StaffPermission | null {
  return approvalPermissions[row.kind] ?? null
}

/** Whether a role may decide a proposal. Who proposed it is not checked here. */
export function mayDecide(role: StaffRole, row: Pick<ApprovalRow, 'kind'>): boolean {
  const permission = permissionToDecide(row)
  return permission !== null && permissionsOfStaff(role).includes(permission)
}

/** Proposals for one reader: what each would change, and whether this reader can decide it. */
export async function viewApprovals(db: Db, kinds: readonly ApprovalKind[], rows: readonly ApprovalRow[], reader: Reader) {
  const { email, personId, role, owns } = reader
  const found = await findAccounts(db, kinds, rows)
  const accounts = await readAccounts(db, found)
  return found.map(({ row, accountId }) => {
    const isPending = row.state === 'pending'
    const isYours = isProposer(row, { by: email, personId })
    const isOwnAccount = isPending && accountId !== undefined && owns(accountId)
    const isAllowed = mayDecide(role, row) && !isOwnAccount
    const account = accounts.get(accountId ?? '') ?? null
    const names = new Map(account ? [[account.account_id, account]] : [])
    return {
      approval_id: row.id,
      kind: row.kind,
      status: row.state,
      what: withNames(describeProposal(kinds, row), names),
      subject: row.subject,
      account,
      before: row.before,
      after: row.after,
      reason: row.reason,
      proposed_by: row.proposed_by,
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      decided_by: row.decided_by,
      decided_at: row.decided_at?.toISOString() ?? null,
      decision_note: row.decision_note,
      permission: permissionToDecide(row),
      is_yours: isYours,
      is_own_account: isOwnAccount,
      may_confirm: isPending && isAllowed && !isYours,
      may_refuse: isPending && (isAllowed || isYours),
    }
  })
}
