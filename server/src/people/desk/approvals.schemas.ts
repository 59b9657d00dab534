import Type from 'typebox'
import { Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'

export const ApprovalPath = Type.Object({ approval_id: Uuid({ description: 'As the list gives it.' }) })

export const ApprovalListQuery = Type.Object({
  which: OneOf(['pending', 'decided'], { default: 'pending' }),
  after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
})

export const Approval = Type.Object(
  {
    approval_id: Uuid(),
    kind: Type.String({ description: 'The command that proposes it, such as `wallet correct`.' }),
    status: OneOf(['pending', 'done', 'refused', 'expired']),
    what: Type.String({ description: 'What it will do, as words that can follow "to".' }),
    subject: Type.String({ description: 'What it is about: the id of an account, a reference.' }),
    account: Type.Union([Type.Object({ account_id: Uuid(), name: Type.String(), email: Type.String() }), Type.Null()]),
    before: Nullable(Type.String()),
    after: Nullable(Type.String()),
    reason: Type.String(),
    proposed_by: Type.String(),
    created_at: Moment(),
    expires_at: Moment(),
    decided_by: Nullable(Type.String()),
    decided_at: Nullable(Moment()),
    decision_note: Nullable(Type.String()),
    permission: Nullable(Type.String({ description: 'The permission that deciding it takes; null: nobody at the desk can.' })),
    is_yours: Type.Boolean({ description: 'Whether the person who asks proposed it, and so cannot confirm it.' }),
    is_own_account: Type.Boolean({
      description: 'Whether it waits and is about an account that the person who asks is a member of, so that others decide it.',
    }),
    may_confirm: Type.Boolean(),
    may_refuse: Type.Boolean({ description: 'The proposer may, too: that withdraws it.' }),
  },
  { title: 'Approval' },
)

export const ReadApproval = Type.Object(
  {
    ...Approval.properties,
    before: Nullable(
      Type.String({ description: 'While it waits: as it is at this moment. After it was confirmed: as it was just before.' }),
    ),
    why_not: Nullable(Type.String({ description: 'Why it can no longer be done, while it waits; null: it can.' })),
  },
  { title: 'ReadApproval' },
)

export const ApprovalPage = Type.Object({ approvals: Type.Array(Approval), next: Nullable(Uuid()) }, { title: 'ApprovalPage' })

export const ConfirmedApproval = Type.Object(
  { approval_id: Uuid(), what: Type.String(), before: Type.String(), after: Type.String() },
  { title: 'ConfirmedApproval' },
)
