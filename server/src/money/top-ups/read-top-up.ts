import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../platform/database/database.ts'

/** A top-up's row. */
export type TopUpRow = Selectable<Tables['top_ups']>

/** Reads a top-up by its id; of one account alone, if that is given. */
export function readTopUp(db: Db, id: string, accountId?: string): Promise<TopUpRow | undefined> {
  return db
    .selectFrom('top_ups')
    .selectAll()
    .where('id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .executeTakeFirst()
}
