import { type RawBuilder, sql } from 'kysely'

/**
 * The condition on `approvals` that two people agreed on a proposal of one of these kinds. Two people have two names, and
 * two ids where both were at the desk.
 */
export function isAgreed(...kinds: readonly string[]): RawBuilder<unknown> {
  return sql`state = 'done' and kind = any(${kinds}::text[]) and lower(decided_by) <> lower(proposed_by)
    and coalesce(decided_person_id <> proposed_person_id, true)`
}
