import type { Db } from '../../platform/database/database.ts'
import type { TopUpRow } from './read-top-up.ts'
import type { TopUpState } from './top-up-life.ts'

export type TopUpQuery = {
  readonly accountId?: string | undefined
  readonly states?: readonly TopUpState[] | undefined
  /** The number of the reseller's own transfer, as `numberKey` returns it. */
  readonly transferKey?: string | undefined
  /** The id of the last row of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** A page of top-ups. `next` is null on the last page. */
export type TopUpPage = { readonly topUps: readonly TopUpRow[]; readonly next: string | null }

/** Lists top-ups of one account or of all, newest first. */
export async function listTopUps(db: Db, { accountId, states, transferKey, after, limit }: TopUpQuery): Promise<TopUpPage> {
  const rows = await db
    .selectFrom('top_ups')
    .selectAll()
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .$if(states !== undefined, (query) => query.where('state', 'in', states ?? []))
    .$if(transferKey !== undefined, (query) => query.where('transfer_key', '=', transferKey ?? ''))
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    // One more than a page, to learn whether there is a next page.
    .limit(limit + 1)
    .execute()
  const topUps = rows.slice(0, limit)
  return { topUps, next: rows.length > limit ? (topUps.at(-1)?.id ?? null) : null }
}

/** Finds out which of these top-ups have a picture, and returns their ids. */
export async function listPictured(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('top_up_pictures').select('top_up_id').where('top_up_id', 'in', ids).execute()
  return new Set(rows.map(({ top_up_id }) => top_up_id))
}
