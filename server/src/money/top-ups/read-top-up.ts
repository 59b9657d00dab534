import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../platform/database/database.ts'

export type TopUpRow = Selectable<Tables['top_ups']>

/** Reads a top-up by its id. With `accountId`: only of that account. */
export function readTopUp(db: Db, id: string, accountId?: string): Promise<TopUpRow | undefined> {
  return db
    .selectFrom('top_ups')
    .selectAll()
    .where('id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .executeTakeFirst()
}

/**
 * Finds other top-ups with the same transfer number, to warn the person who decides: a reseller may try to get one transfer
 * credited twice.
 */
export function readSameTransfer(db: Db, row: TopUpRow): Promise<Pick<TopUpRow, 'id' | 'account_id' | 'state'>[]> {
  if (row.transfer_key === null) return Promise.resolve([])
  return db
    .selectFrom('top_ups')
    .select(['id', 'account_id', 'state'])
    .where('transfer_key', '=', row.transfer_key)
    .where('id', '<>', row.id)
    .orderBy('id')
    .limit(20)
    .execute()
}

/** How many of an account's newest top-ups are looked through for a number. */
const lookedThrough = 50

/**
 * Finds the phone number with which a person paid last, among the account's newest top-ups. A forgotten number is masked, and
 * is skipped.
 */
export async function findLastPhone(db: Db, accountId: string, madeBy: string): Promise<string | null> {
  const newest = await db
    .selectFrom('top_ups')
    .select(['payer_phone', 'made_by'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(lookedThrough)
    .execute()
  return newest.find(({ payer_phone: phone, made_by }) => made_by === madeBy && /^0\d{9}$/.test(phone ?? ''))?.payer_phone ?? null
}
