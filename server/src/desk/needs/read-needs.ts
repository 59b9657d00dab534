import { sql } from 'kysely'
import type { StaffPermission } from '../../people/permissions/staff-permissions.ts'
import type { Db } from '../../platform/database/database.ts'
import type { NeedAsker, NeedLine } from '../../platform/needs/need.ts'
import { allNeeds } from './all-needs.ts'

/** The most things of a kind that are counted. If there are more, the screen says so. */
export const waitingCountMax = 100

/** The most things of a kind that are listed. */
const linesMax = 5

export type WaitingNeed = {
  readonly name: string
  readonly path: string
  readonly count: number
  /** The time since which the oldest thing has waited; null where it is not known. */
  readonly oldestAt: Date | null
  readonly lines: (NeedLine & { readonly id: string; readonly at: string | null })[]
}

type Thing = { id: string; at: string | null; facts: unknown }

/** Reads in one statement what waits for a person with these permissions. Kinds without anything waiting are left out. */
export async function readNeeds(
  db: Db,
  permissions: readonly StaffPermission[],
  asker: NeedAsker,
): Promise<readonly WaitingNeed[]> {
  const wanted = allNeeds.filter((each) => each.permissions.some((permission) => permissions.includes(permission)))
  if (wanted.length === 0) return []
  const parts = wanted.map(
    ({ need }) => sql`
      select ${sql.lit(need.name)} as name, count(*)::int as count, min(at) as oldest,
        jsonb_path_query_array(jsonb_agg(jsonb_build_object('id', id, 'at', at, 'facts', facts)), ${sql.lit(`$[0 to ${linesMax - 1}]`)}) as things
      from (select * from (${need.waiting(asker)}) as waiting limit ${sql.lit(waitingCountMax)}) as few`,
  )
  const { rows } = await sql<{ name: string; count: number; oldest: Date | null; things: Thing[] | null }>`
    ${sql.join(parts, sql` union all `)}`.execute(db)
  const found = new Map(rows.map((row) => [row.name, row]))
  return wanted.flatMap(({ need, path }) => {
    const { count = 0, oldest = null, things } = found.get(need.name) ?? {}
    if (count === 0) return []
    const lines = (things ?? []).map(({ id, at, facts }) => ({
      ...need.line({ id, facts }),
      id,
      at: at === null ? null : new Date(at).toISOString(),
    }))
    return [{ name: need.name, path, count, oldestAt: oldest, lines }]
  })
}
