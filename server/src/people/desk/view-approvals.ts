import { type ApprovalKind, accountOfProposal, describeProposal } from '../../platform/approvals/approval-kind.ts'
import type { ApprovalRow } from '../../platform/approvals/decide-approval.ts'
import type { Db } from '../../platform/database/database.ts'
import { readId } from '../../platform/database/read-id.ts'
import type { Actor } from '../../platform/operations/operation.ts'
import { permissionToDecide, rightsToDecide } from '../permissions/rights-to-decide.ts'
import { replaceIdsByNames } from './with-names.ts'

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

/** Converts proposals for one reader, with the account of each, and whether this reader can decide it. */
export async function viewApprovals(db: Db, kinds: readonly ApprovalKind[], rows: readonly ApprovalRow[], reader: Actor) {
  const found = await findAccounts(db, kinds, rows)
  const accounts = await readAccounts(db, found)
  return found.map(({ row, accountId }) => {
    const account = accounts.get(accountId ?? '') ?? null
    return {
      ...row,
      what: replaceIdsByNames(describeProposal(kinds, row), new Map(account ? [[account.account_id, account]] : [])),
      account,
      permission: permissionToDecide(row),
      ...rightsToDecide(row, reader, accountId),
    }
  })
}
