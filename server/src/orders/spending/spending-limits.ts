import { sql } from 'kysely'
import { formatGhs, type Pesewas, pesewas } from '../../money/pesewas.ts'
import { lockWallets } from '../../money/wallets.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'

/** A member who purchases for an account. */
export type Spender = { readonly accountId: string; readonly personId: string }

export const spenderOf = ({ accountId, personId }: Spender): string => `${accountId} ${personId}`

/** A day in Accra, which is a day in UTC: `2027-01-31`. */
const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/**
 * Reads how much each person with a limit may still spend on the day of `now`, in pesewas. This transaction must have locked
 * the main wallets of their accounts.
 */
export async function readSpendingLimits(tx: Tx, spenders: readonly Spender[], now: Date): Promise<Map<string, number>> {
  if (spenders.length === 0) return new Map()
  const wanted = rowsOf(spenders, {
    account_id: ['uuid', ({ accountId }) => accountId],
    person_id: ['uuid', ({ personId }) => personId],
  })
  const { rows } = await sql<Spender & { left: number }>`
    select account_id as "accountId", person_id as "personId",
      greatest(0, per_day - case when spent_on = ${dayOf(now)}::date then spent else 0 end) as left
    from spending_limits where ${wanted.matching('spending_limits')}`.execute(tx)
  return new Map(rows.map((row) => [spenderOf(row), row.left]))
}

/** Stores what was spent between `before` and `after`. This transaction must have locked the main wallets. */
export async function recordSpending(
  tx: Tx,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  const spent = [...before].flatMap(([spender, left]) => {
    const [accountId = '', personId = ''] = spender.split(' ')
    const amount = left - (after.get(spender) ?? left)
    return amount > 0 ? [{ accountId, personId, amount }] : []
  })
  if (spent.length === 0) return
  await sql`
    update spending_limits set spent_on = ${dayOf(now)}::date,
      spent = case when spent_on = ${dayOf(now)}::date then spent else 0 end + added.amount
    from ${rowsOf(spent, {
      account_id: ['uuid', ({ accountId }) => accountId],
      person_id: ['uuid', ({ personId }) => personId],
      amount: ['bigint', ({ amount }) => amount],
    }).as('added')}
    where spending_limits.account_id = added.account_id and spending_limits.person_id = added.person_id`.execute(tx)
}

/**
 * Counts a cost that has no order, such as SMS credits, against a person's limit. This transaction must have locked the main
 * wallet.
 * @throws RefusalError when the person may not spend so much today
 */
export async function spendWithinLimit(tx: Tx, spender: Spender, cost: Pesewas): Promise<void> {
  const now = new Date()
  const limits = await readSpendingLimits(tx, [spender], now)
  const left = limits.get(spenderOf(spender))
  if (left === undefined) return
  if (cost > left) throw new RefusalError(refusals.spendingLimit(formatGhs(pesewas(left))))
  await recordSpending(tx, limits, new Map([[spenderOf(spender), left - cost]]), now)
}

/** A member's spending today: the limit, what is left of it, and the orders, which are counted also where there is no limit. */
export type MemberSpending = {
  readonly personId: string
  /** Null: no limit. */
  readonly limitPesewas: Pesewas | null
  readonly leftPesewas: Pesewas | null
  readonly ordersToday: number
  readonly boughtTodayPesewas: Pesewas
}

/** The ids of orders contain a time. The clock that made it is assumed to differ from the database's clock by at most this. */
const idToleranceMilliseconds = 60_000

const beginOfDay = (now: Date): Date => new Date(`${dayOf(now)}T00:00:00Z`)

/**
 * Counts each person's orders in the app since a moment, and adds up their prices. SMS orders are left out: they are paid in
 * credits.
 */
const boughtSince = (accountId: string, since: Date) => sql`
  select person_id, count(*)::int as orders, sum(price)::bigint as price
  from orders_of_persons join orders on orders.id = order_id
  where order_id >= ${firstIdAt(since.getTime() - idToleranceMilliseconds)}::uuid
    and orders.id >= ${firstIdAt(since.getTime() - idToleranceMilliseconds)}::uuid
    and orders.account_id = ${accountId} and orders.kind <> 'sms' and created_at >= ${since}
  group by person_id`

/** Lists everybody who has a limit or has placed an order in the app today, SMS orders aside. */
export async function listSpending(db: Db, accountId: string, now = new Date()): Promise<readonly MemberSpending[]> {
  const { rows } = await sql<{
    person_id: string
    per_day: number | null
    spent: number | null
    orders: number | null
    price: number | null
  }>`
    select person_id, per_day, case when spent_on = ${dayOf(now)}::date then spent else 0 end as spent, orders, price
    from (select * from spending_limits where account_id = ${accountId}) limited
    full join (${boughtSince(accountId, beginOfDay(now))}) bought using (person_id)
    order by person_id`.execute(db)
  return rows.map(({ person_id: personId, per_day: perDay, spent, orders, price }) => ({
    personId,
    limitPesewas: perDay === null ? null : pesewas(perDay),
    leftPesewas: perDay === null ? null : pesewas(Math.max(0, perDay - (spent ?? 0))),
    ordersToday: orders ?? 0,
    boughtTodayPesewas: pesewas(price ?? 0),
  }))
}

/**
 * Limits what a member may spend on a day, or takes the limit away. A new limit counts the orders that the member placed in the
 * app today, but no SMS credits bought before it.
 * @param perDayPesewas null: no limit
 */
export function setSpendingLimit(
  db: Db,
  { accountId, personId }: Spender,
  { perDayPesewas, setBy }: { readonly perDayPesewas: Pesewas | null; readonly setBy: string },
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockWallets(tx, [{ accountId, purse: 'main' }])
    if (perDayPesewas === null) {
      await tx.deleteFrom('spending_limits').where('account_id', '=', accountId).where('person_id', '=', personId).execute()
      return
    }
    const now = new Date()
    await sql`
      insert into spending_limits (account_id, person_id, per_day, spent_on, spent, set_by)
      values (${accountId}, ${personId}, ${perDayPesewas}, ${dayOf(now)}::date, coalesce((
        select price from (${boughtSince(accountId, beginOfDay(now))}) bought where person_id = ${personId}
      ), 0), ${setBy})
      on conflict (account_id, person_id) do update
      set per_day = excluded.per_day, set_by = excluded.set_by, set_at = clock_timestamp()`.execute(tx)
  })
}
