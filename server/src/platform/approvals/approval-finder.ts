import type { Finder } from '../finding/finder.ts'

/** Finds a proposal by its id. A correction of a wallet has the id of its proposal. */
export const approvalFinder: Finder = {
  finds: 'proposals',
  async find({ db }, { id }) {
    if (id === undefined) return []
    const rows = await db
      .selectFrom('approvals')
      .select(['id', 'kind', 'subject', 'proposed_by', 'state', 'expires_at'])
      .where('id', '=', id)
      .execute()
    return rows.map((row) => ({
      type: 'proposal',
      id: row.id,
      text: `The proposal "${row.kind}" of ${row.proposed_by} about ${row.subject}: ${row.state}.`,
      next: row.state === 'pending' ? 'makola approvals list' : 'makola approvals list --all',
      path: `/approvals/${row.id}`,
    }))
  },
}
