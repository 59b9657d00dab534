import { type RawBuilder, sql } from 'kysely'

/** The condition on `approvals` that two people agreed on a proposal of one of these kinds. */
export function isAgreed(...kinds: readonly string[]): RawBuilder<unknown> {
  return sql`state = 'done' and lower(decided_by) <> lower(proposed_by) and kind = any(${kinds}::text[])`
}
