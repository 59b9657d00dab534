import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import type { WalletKey } from '../wallets.ts'
import { StatementBrokenError } from './statement.ts'

export const entriesPutAway = refuse(
  409,
  'entries_put_away',
  'The entries of this time were put away. Ask us to bring them back.',
)

/** A range of entries that are put away, all made in one month. `closingNo` is the number of the last one. */
export type PutAwayEntries = {
  readonly closingNo: number
  readonly closingBalance: number
  readonly monthBegin: Date
  readonly monthEnd: Date
}

async function findRange(db: Db, { accountId, purse }: WalletKey, entryNo: number | null): Promise<PutAwayEntries | undefined> {
  const { rows } = await sql<PutAwayEntries>`
    select closing_no as "closingNo", closing_balance as "closingBalance", month::timestamp at time zone 'UTC' as "monthBegin",
      (month + interval '1 month') at time zone 'UTC' as "monthEnd"
    from put_away_wallets
    where account_id = ${accountId} and purse = ${purse}
      and (${entryNo}::bigint is null or ${entryNo} > opening_no and ${entryNo} <= closing_no)
    order by closing_no = ${entryNo} desc, closing_no desc limit 1`.execute(db)
  return rows[0]
}

/** The put-away range that contains an entry. Undefined when the entry is not put away. */
export const findPutAwayEntry = (db: Db, key: WalletKey, entryNo: number) => findRange(db, key, entryNo)

/** The newest put-away range of a purse. Every later entry is still in the tables. */
export const findLastPutAway = (db: Db, key: WalletKey) => findRange(db, key, null)

/** The error when an entry of a statement cannot be read: its month is put away, or the wallet's entries are broken. */
export async function createMissingEntryError(db: Db, key: WalletKey, entryNo: number, broken: string): Promise<Error> {
  return (await findPutAwayEntry(db, key, entryNo)) ? new RefusalError(entriesPutAway) : new StatementBrokenError(broken)
}
