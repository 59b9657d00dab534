import type { Db } from '../../../platform/database/database.ts'

const changesPerPage = 50

/**
 * Lists the changes of a package, newest first.
 * @param asked.before only changes older than this one: the `next` of the page before
 */
export async function readPackageHistory(db: Db, asked: { readonly packageId: string; readonly before?: number | undefined }) {
  const { packageId, before } = asked
  const rows = await db
    .selectFrom('package_changes')
    .selectAll()
    .where('package_id', '=', packageId)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(changesPerPage + 1)
    .execute()
  const changes = rows.slice(0, changesPerPage)
  return { changes, next: rows.length > changesPerPage ? (changes.at(-1)?.id ?? null) : null }
}
