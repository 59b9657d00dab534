import Type from 'typebox'
import type { ApprovalRow } from '../../platform/approvals/decide-approval.ts'
import { isProposer } from '../../platform/approvals/two-people.ts'
import type { Actor } from '../../platform/operations/operation.ts'
import { approvalPermissions } from './approval-permissions.ts'
import type { StaffPermission } from './staff-permissions.ts'

/** The permission needed to confirm or refuse a proposal. Null: it is decided on the command line only. */
export function permissionToDecide(row: Pick<ApprovalRow, 'kind'>): StaffPermission | null {
  return approvalPermissions[row.kind] ?? null
}

/** The schema of `rightsToDecide`. */
export const decisionRights = {
  isYours: Type.Boolean({ description: 'Whether the person who asks proposed it, and so cannot confirm it.' }),
  isOwnAccount: Type.Boolean({
    description: 'Whether it waits and is about an account that the person who asks is a member of, so that others decide it.',
  }),
  mayConfirm: Type.Boolean(),
  mayRefuse: Type.Boolean({ description: 'The proposer may, too: that withdraws it.' }),
}

type Decidable = Pick<ApprovalRow, 'kind' | 'state' | 'proposed_by' | 'proposed_person_id'>

/** Finds whether a person may confirm or refuse a proposal. @param accountId the account that the proposal is about, if any */
export function rightsToDecide(row: Decidable, { person, may, owns }: Actor, accountId: string | undefined) {
  const isPending = row.state === 'pending'
  const isYours = isProposer(row, person)
  const isOwnAccount = isPending && accountId !== undefined && owns(accountId)
  const isAllowed = may(permissionToDecide(row)) && !isOwnAccount
  return { isYours, isOwnAccount, mayConfirm: isPending && isAllowed && !isYours, mayRefuse: isPending && (isAllowed || isYours) }
}
