import { type ApprovalKind, accountOfProposal } from '../../platform/approvals/approval-kind.ts'
import { type ApprovalRow, confirmApproval, refuseApproval } from '../../platform/approvals/decide-approval.ts'
import { listApprovals, readApproval } from '../../platform/approvals/list-approvals.ts'
import { isProposer } from '../../platform/approvals/people.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { ReasonBody } from '../../platform/http/given-reason.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import type { SignedInPerson } from '../find-person.ts'
import { peopleRefusals } from '../people.refusals.ts'
import type { Staff } from '../staff-of.ts'
import { Approval, ApprovalListQuery, ApprovalPage, ApprovalPath, ConfirmedApproval, ReadApproval } from './approvals.schemas.ts'
import { readChange } from './read-change.ts'
import { mayDecide, type Reader, viewApprovals } from './view-approvals.ts'

export type ApprovalRouteDeps = { readonly db: Db; readonly approvalKinds: readonly ApprovalKind[] }

const approvalNotFound = refuse(404, 'approval_not_found', 'There is no such proposal.')

const tags = ['Approvals']

function readerOf({ email, personId, staffRole }: SignedInPerson, { owns }: Staff): Reader {
  if (!staffRole) throw new RefusalError(peopleRefusals.notStaff)
  return { email, personId, role: staffRole, owns }
}

async function readKnown(db: Db, approvalId: string): Promise<ApprovalRow> {
  const row = await readApproval(db, approvalId)
  if (!row) throw new RefusalError(approvalNotFound)
  return row
}

function registerReading(desk: Api, { db, approvalKinds }: ApprovalRouteDeps): void {
  desk.get(
    '/approvals',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListApprovals',
        tags,
        summary: 'What waits for a second person, or was decided, newest first',
        querystring: ApprovalListQuery,
        response: { 200: Envelope(ApprovalPage) },
      },
    },
    async ({ person, staff, query: { which, after, limit } }) => {
      // One more than is shown, to know whether there is a next page.
      const rows = await listApprovals(db, { which, after, limit: limit + 1 })
      const approvals = await viewApprovals(db, approvalKinds, rows.slice(0, limit), readerOf(person, staff))
      return ok({ approvals, next: rows.length > limit ? (approvals.at(-1)?.approval_id ?? null) : null })
    },
  )
  desk.get(
    '/approvals/:approval_id',
    {
      config: { permission: 'see', refusals: [404] },
      schema: {
        operationId: 'deskReadApproval',
        tags,
        summary: 'One proposal',
        params: ApprovalPath,
        response: { 200: Envelope(ReadApproval) },
      },
    },
    async ({ person, staff, params }) => {
      const row = await readKnown(db, params.approval_id)
      const [approval] = await viewApprovals(db, approvalKinds, [row], readerOf(person, staff))
      if (!approval) throw new RefusalError(approvalNotFound)
      return ok({ ...approval, ...(await readChange(db, approvalKinds, row)) })
    },
  )
}

function registerDecisions(desk: Api, deps: ApprovalRouteDeps): void {
  const { db, approvalKinds } = deps
  desk.post(
    '/approvals/:approval_id/confirm',
    {
      config: { permission: 'see', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskConfirmApproval',
        tags,
        summary: 'Confirm what somebody else proposed, and do it',
        description: 'Takes the permission that the proposal names. Nobody confirms their own.',
        params: ApprovalPath,
        response: { 200: Envelope(ConfirmedApproval) },
      },
    },
    async ({ person, staff, params: { approval_id: approvalId } }) => {
      const row = await readKnown(db, approvalId)
      if (!mayDecide(readerOf(person, staff).role, row)) throw new RefusalError(peopleRefusals.notPermitted)
      const accountId = await accountOfProposal(db, approvalKinds, row)
      if (accountId !== undefined) staff.mustNotOwn(accountId)
      const decision = { approvalId, person: staff.person }
      const { what, change } = await inTransaction(db, (tx) => confirmApproval(tx, approvalKinds, decision))
      return ok({ approval_id: approvalId, what, ...change })
    },
  )
  desk.post(
    '/approvals/:approval_id/refuse',
    {
      config: { permission: 'see', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskRefuseApproval',
        tags,
        summary: 'Refuse a proposal, or withdraw one’s own',
        params: ApprovalPath,
        body: ReasonBody,
        response: { 200: Envelope(Approval) },
      },
    },
    async ({ person, staff, params: { approval_id: approvalId }, body: { reason } }) => {
      const row = await readKnown(db, approvalId)
      const reader = readerOf(person, staff)
      if (!isProposer(row, staff.person)) {
        if (!mayDecide(reader.role, row)) throw new RefusalError(peopleRefusals.notPermitted)
        const accountId = await accountOfProposal(db, approvalKinds, row)
        if (accountId !== undefined) staff.mustNotOwn(accountId)
      }
      const decision = { approvalId, person: staff.person, note: reason }
      await inTransaction(db, (tx) => refuseApproval(tx, decision))
      const [approval] = await viewApprovals(db, approvalKinds, [await readKnown(db, approvalId)], reader)
      if (!approval) throw new RefusalError(approvalNotFound)
      return ok(approval)
    },
  )
}

export function registerApprovalDeskRoutes(desk: Api, deps: ApprovalRouteDeps): void {
  registerReading(desk, deps)
  registerDecisions(desk, deps)
}
