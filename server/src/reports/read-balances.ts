import { sql } from 'kysely'
import { type Amount, amountIn, unitOfPurse } from '../money/amount.ts'
import type { AccountPurse } from '../money/money.tables.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import { isOfPresentMonth } from '../platform/partitions/put-away-months.ts'
import { keptUntil } from './count-figures.ts'

/** The sum of all accounts' wallets of one purse: our debt to resellers. */
export type PurseBalance = { readonly purse: AccountPurse; readonly balance: Amount }

const purses: readonly AccountPurse[] = ['main', 'commission', 'sms_credits']

type Row = { purse: AccountPurse; balance: number }

async function readNow(tx: Tx): Promise<Row[]> {
  const { rows } = await sql<Row>`select purse, sum(balance)::bigint as balance from wallets group by purse`.execute(tx)
  return rows
}

/**
 * The first day whose transfers must be added up one by one: the requested day, or an earlier one that the worker may not have
 * counted completely. Null: older days are not counted yet, so all transfers must be added up. The sums of days up to the last
 * month that is put away are always complete.
 */
async function findOpenDay(tx: Tx, before: Date): Promise<string | null> {
  const { rows } = await sql<{ day: string }>`
    select least((${before}::timestamptz at time zone 'Africa/Accra')::date, complete_until)::text as day
    from (
      select case when first_day <= oldest_day then (greatest(searched_from, restored_until) at time zone 'Africa/Accra')::date
        else ${keptUntil} end as complete_until
      from (select) as always left join report_progress on true
    ) as sums
    where complete_until is not null`.execute(tx)
  return rows[0]?.day ?? null
}

async function refuseWithinDay(tx: Tx, before: Date): Promise<void> {
  const { rows } = await sql<{ isKnown: boolean }>`
    select ${isOfPresentMonth(sql`moment`)} or moment = date_trunc('day', moment) as "isKnown"
    from (select ${before}::timestamptz at time zone 'Africa/Accra' as moment) as wanted`.execute(tx)
  if (rows[0]?.isKnown) return
  throw new OperatorRequestError('The transfers of this month were put away. Only the balances at the end of a day are known.')
}

async function readBefore(tx: Tx, before: Date): Promise<Row[]> {
  await refuseWithinDay(tx, before)
  const openDay = await findOpenDay(tx, before)
  const isSingly = openDay === null ? sql`true` : sql`created_at >= ${openDay}::date::timestamp at time zone 'Africa/Accra'`
  const { rows } = await sql<Row>`
    select purse, sum(change)::bigint as balance
    from (
      select purse, moved_in - moved_out as change from daily_purses where day < ${openDay}::date
      union all
      select to_purse, amount from transfers where ${isSingly} and created_at < ${before} and to_entry_no is not null
      union all
      select from_purse, -amount from transfers where ${isSingly} and created_at < ${before} and from_entry_no is not null
    ) as changes
    group by purse`.execute(tx)
  return rows
}

/** The moment of which `readBalances` tells. For a day that is not over it is the moment of the question, not the end of the day. */
export function momentOfBalances(before: Date | undefined, asked: Date): Date {
  return before === undefined || before > asked ? asked : new Date(before.getTime() - 1)
}

/**
 * Adds up our debt to resellers per purse, in one snapshot. The present debt is the sum of the wallets. An earlier one comes
 * from the daily sums, and from the transfers of days that the daily sums do not contain completely.
 */
export function readBalances(db: Db, before: Date | undefined): Promise<PurseBalance[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const rows = before === undefined ? await readNow(tx) : await readBefore(tx, before)
      const known = new Map(rows.map((row) => [row.purse, row.balance]))
      return purses.map((purse) => ({ purse, balance: amountIn(unitOfPurse(purse), known.get(purse) ?? 0) }))
    })
}
