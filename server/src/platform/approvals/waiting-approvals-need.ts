import { sql } from 'kysely'
import { defineNeed } from '../needs/need.ts'

/** Proposals that the reader can confirm, without the reader's own. */
export const waitingApprovalsNeed = defineNeed<{ kind: string; by: string; reason: string }>({
  name: 'approvals',
  waiting: ({ by, mayConfirm }) => sql`
    select id::text as id, created_at as at, jsonb_build_object('kind', kind, 'by', proposed_by, 'reason', reason) as facts
    from approvals
    where state = 'pending' and expires_at > now() and lower(proposed_by) <> lower(${by})
      and kind = any(${mayConfirm}::text[])
    order by created_at, id`,
  line: ({ id, facts: { kind, by, reason } }) => ({
    text: `${by} proposes ${kind}: ${reason}`,
    path: `/approvals/${id}`,
  }),
})
