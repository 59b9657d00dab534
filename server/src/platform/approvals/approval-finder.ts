import { sql } from 'kysely'
import type { Finder } from '../finding/finder.ts'

/** Finds a proposal by its id, or by the amount that it moves. A correction of a wallet has the id of its proposal. */
export const approvalFinder: Finder = {
  finds: 'proposals',
  async find({ db }, { id, amountPesewas }, limit) {
    if (id === undefined && amountPesewas === undefined) return []
    const amounts = amountPesewas === undefined ? [] : [String(amountPesewas), String(-amountPesewas)]
    const columns = sql`id, kind, subject, proposed_by, state`
    const { rows } = await sql<{ id: string; kind: string; subject: string; proposed_by: string; state: string }>`
      with of_amount as materialized (
        select ${columns} from approvals where request ->> 'amount' = any(${amounts}::text[]) and request ->> 'amount' is not null
      )
      select ${columns} from approvals where id = ${id ?? null}::uuid
      union
      select * from of_amount
      order by id desc limit ${limit}`.execute(db)
    return rows.map((row) => ({
      type: 'proposal',
      id: row.id,
      text: `The proposal "${row.kind}" of ${row.proposed_by} about ${row.subject}: ${row.state}.`,
      next: row.state === 'pending' ? 'makola approvals list' : 'makola approvals list --all',
      path: `/approvals/${row.id}`,
    }))
  },
}
