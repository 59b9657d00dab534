import { type RawBuilder, sql } from 'kysely'

/** Of a row of `approvals`: two people agreed on it, and it is of one of these kinds. */
export function isAgreed(...kinds: readonly string[]): RawBuilder<unknown> {
  return sql`state = 'done' and lower(decided_by) <> lower(proposed_by) and kind = any(${kinds}::text[])`
}
