import Type, { type Static } from 'typebox'
import { type ApprovalKind, accountOfProposal, describeProposal } from '../../platform/approvals/approval-kind.ts'
import { type ApprovalRow, confirmApproval, refuseApproval } from '../../platform/approvals/decide-approval.ts'
import { listApprovals, readApproval } from '../../platform/approvals/list-approvals.ts'
import { isProposer } from '../../platform/approvals/two-people.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { isId } from '../../platform/database/read-id.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import { GivenReason, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { NeededAtDesk, Timestamp, WithWireName } from '../../platform/operations/fields.ts'
import { type Actor, operation } from '../../platform/operations/operation.ts'
import { pageOf } from '../../platform/page-of.ts'
import { peopleRefusals } from '../people.refusals.ts'
import { decisionRights, permissionToDecide } from '../permissions/rights-to-decide.ts'
import { readChange } from './read-change.ts'
import { viewApprovals } from './view-approvals.ts'
import { withAccountNames } from './with-names.ts'

/** The fields of a row of `approvals`, with the names of its columns. */
const inTable = {
  id: WithWireName('approval_id', Uuid()),
  kind: Type.String({ description: 'The command that proposes it, such as `wallet correct`.' }),
  state: WithWireName('status', OneOf(['pending', 'done', 'refused', 'expired'])),
  what: Type.String({ description: 'What it will do, as words that can follow "to".' }),
  subject: Type.String({ description: 'What it is about: the id of an account, a reference.' }),
  before: Nullable(Type.String()),
  after: Nullable(Type.String()),
  reason: Type.String(),
  proposed_by: Type.String(),
  created_at: Timestamp(),
  expires_at: Timestamp(),
  decided_by: Nullable(Type.String()),
  decided_at: Nullable(Timestamp()),
  decision_note: Nullable(Type.String()),
}

const Approval = Type.Object(
  {
    ...inTable,
    account: Type.Union([Type.Object({ account_id: Uuid(), name: Type.String(), email: Type.String() }), Type.Null()]),
    permission: Nullable(Type.String({ description: 'The permission that deciding it takes; null: nobody at the desk can.' })),
    ...decisionRights,
  },
  { title: 'Approval' },
)

const ReadApproval = Type.Object(
  {
    ...Approval.properties,
    before: Nullable(
      Type.String({ description: 'While it waits: as it is at this moment. After it was confirmed: as it was just before.' }),
    ),
    why_not: Nullable(Type.String({ description: 'Why it can no longer be done, while it waits; null: it can.' })),
  },
  { title: 'ReadApproval' },
)

/** A proposal as the command line prints it, with the users of the operating system. */
const PrintedApproval = Type.Object({
  ...inTable,
  proposed_os_user: Nullable(Type.String()),
  decided_os_user: Nullable(Type.String()),
})

const because = (reason: string) => (reason === '' ? '' : `: ${reason}`)

function describe(approval: Static<typeof PrintedApproval>): string {
  const end = approval.decided_by === null ? approval.state : `${approval.state} by ${approval.decided_by}`
  const lines = [
    `${approval.id}  ${approval.kind}  ${approval.state === 'pending' ? `until ${approval.expires_at.toISOString()}` : end}`,
    `  ${approval.what}${because(approval.reason)}`,
    `  proposed by ${approval.proposed_by} (${approval.proposed_os_user}); then ${approval.before} → ${approval.after}`,
  ]
  return lines.join('\n')
}

const approvalNotFound = refuse(404, 'approval_not_found', 'There is no such proposal.')

async function mustFindApproval(db: Db, approvalId: string): Promise<ApprovalRow> {
  const row = await readApproval(db, approvalId)
  if (!row) throw new RefusalError(approvalNotFound)
  return row
}

async function accountToDecide(db: Db, kinds: readonly ApprovalKind[], actor: Actor, row: ApprovalRow) {
  if (!actor.may(permissionToDecide(row))) throw new RefusalError(peopleRefusals.notPermitted)
  return accountOfProposal(db, kinds, row)
}

async function viewOne(db: Db, kinds: readonly ApprovalKind[], row: ApprovalRow, reader: Actor) {
  const [approval] = await viewApprovals(db, kinds, [row], reader)
  if (!approval) throw new RefusalError(approvalNotFound)
  return approval
}

const ofApprovals = { tag: 'Approvals', permission: 'see' } as const
const approvalId = Uuid({ description: 'As the list gives it.' })

const deciding = {
  ...ofApprovals,
  isConfirmationNeeded: true,
  refusals: [404, 409],
  by: 'required',
  check: ({ approvalId: id }: { readonly approvalId: string }) =>
    isId(id) ? undefined : `${JSON.stringify(id)} is no id of a proposal. \`makola approvals list\` shows them.`,
} as const

function listOperations(kinds: readonly ApprovalKind[]) {
  return [
    operation({
      command: 'approvals list',
      example: 'makola approvals list',
      summary: 'List what waits, newest first',
      input: Type.Object({
        isAll: Type.Optional(Type.Boolean({ description: 'what was decided, too' })),
        limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'how many at most, up to 1000' }),
        after: Type.Optional(Uuid({ description: 'the page after this one: the `next` of the page before' })),
      }),
      output: Type.Object({ approvals: Type.Array(PrintedApproval), next: Nullable(Uuid()), text: Type.String() }),
      async act({ db }, _actor, { isAll, limit, after }) {
        const list = (most: number) => listApprovals(db, { which: isAll ? 'all' : 'pending', after, limit: most })
        const { rows, next } = await pageOf(limit, list, ({ id }) => id)
        const approvals = rows.map((row) => ({ ...row, what: describeProposal(kinds, row) }))
        const more = next === null ? [] : [`There is more: --after ${next}`]
        return { approvals, next, text: await withAccountNames(db, [...approvals.map(describe), ...more].join('\n')) }
      },
      printed: Type.Object({ approvals: Type.Array(PrintedApproval), next: Nullable(Uuid()) }),
      text: ({ text }) => text || 'Nothing waits for a second person.',
    }),
    operation({
      ...ofApprovals,
      route: 'GET /approvals',
      operationId: 'deskListApprovals',
      summary: 'What waits for a second person, or was decided, newest first',
      input: Type.Object({
        which: OneOf(['pending', 'decided'], { default: 'pending' }),
        after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
        limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
      }),
      output: Type.Object({ approvals: Type.Array(Approval), next: Nullable(Uuid()) }, { title: 'ApprovalPage' }),
      async act({ db }, actor, { which, after, limit }) {
        const list = (most: number) => listApprovals(db, { which, after, limit: most })
        const { rows, next } = await pageOf(limit, list, ({ id }) => id)
        return { approvals: await viewApprovals(db, kinds, rows, actor), next }
      },
    }),
    operation({
      ...ofApprovals,
      route: 'GET /approvals/:approval_id',
      operationId: 'deskReadApproval',
      refusals: [404],
      summary: 'One proposal',
      input: Type.Object({ approvalId }),
      output: ReadApproval,
      async act({ db }, actor, { approvalId: id }) {
        const row = await mustFindApproval(db, id)
        return { ...(await viewOne(db, kinds, row, actor)), ...(await readChange(db, kinds, row)) }
      },
    }),
  ]
}

function decisionOperations(kinds: readonly ApprovalKind[]) {
  return [
    operation({
      ...deciding,
      command: 'approvals confirm <approval-id>',
      example: 'makola approvals confirm 0190a1b2-… --by kofi',
      route: 'POST /approvals/:approval_id/confirm',
      operationId: 'deskConfirmApproval',
      summary: 'Confirm what somebody else proposed, and do it',
      description: 'Takes the permission that the proposal names. Nobody confirms their own.',
      input: Type.Object({ approvalId }),
      output: Type.Object(
        { approvalId: Uuid(), what: Type.String(), before: Type.String(), after: Type.String() },
        { title: 'ConfirmedApproval' },
      ),
      about: async ({ db }, actor, { approvalId: id }) => accountToDecide(db, kinds, actor, await mustFindApproval(db, id)),
      async question({ db }, { approvalId: id }) {
        const row = await readApproval(db, id)
        return (
          row &&
          withAccountNames(db, `${row.proposed_by} wants to ${describeProposal(kinds, row)}${because(row.reason)}. Confirm?`)
        )
      },
      async act({ db }, { person }, { approvalId: id }) {
        const { what, change } = await inTransaction(db, (tx) => confirmApproval(tx, kinds, { approvalId: id, person }))
        return { approvalId: id, what: await withAccountNames(db, what), ...change }
      },
      printed: Type.Object({ approvalId: Uuid(), status: Type.Literal('done') }),
      text: ({ what, before, after }) => `Done: ${what}. ${before} → ${after}.`,
    }),
    operation({
      ...deciding,
      command: 'approvals refuse <approval-id>',
      example: 'makola approvals refuse 0190a1b2-… --by kofi --reason "the receipt says 100"',
      route: 'POST /approvals/:approval_id/refuse',
      operationId: 'deskRefuseApproval',
      summary: 'Refuse a proposal, or withdraw one’s own',
      input: Type.Object({ approvalId, reason: NeededAtDesk(GivenReason) }),
      output: Approval,
      async about({ db }, actor, { approvalId: id }) {
        const row = await mustFindApproval(db, id)
        return isProposer(row, actor.person) ? undefined : accountToDecide(db, kinds, actor, row)
      },
      async act({ db }, actor, { approvalId: id, reason: note }) {
        await inTransaction(db, (tx) => refuseApproval(tx, { approvalId: id, person: actor.person, note }))
        return viewOne(db, kinds, await mustFindApproval(db, id), actor)
      },
      printed: Type.Pick(Approval, ['id', 'state']),
      text: () => 'Refused: nothing was done.',
    }),
  ]
}

export const approvalOperations = (kinds: readonly ApprovalKind[]) => [...listOperations(kinds), ...decisionOperations(kinds)]
