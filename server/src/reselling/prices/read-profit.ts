import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'
import { isSale, ownPriceOfOrder, ownRuleOfOrder } from './own-price.ts'

const dayMilliseconds = 24 * 3_600_000
/**
 * An order's id contains the time of the process that made it. We assume that its clock differs from the database's by at
 * most this.
 */
const idToleranceMilliseconds = 60_000
const daysOfWeek = 7
const customersShown = 10

type ProfitSum = { readonly profitPesewas: Pesewas; readonly soldPesewas: Pesewas; readonly orders: number }

export type Profit = {
  /** False: the account has no own prices, so nothing is known. */
  readonly isKnown: boolean
  readonly today: ProfitSum
  /** The last seven days, today included. */
  readonly week: ProfitSum
  /** The customers who brought the most profit in the week. */
  readonly customers: readonly (ProfitSum & { readonly recipient: string; readonly name: string | null })[]
}

type SumRow = { profit: number; sold: number; count: number }

const sumOf = (row: SumRow | undefined): ProfitSum => ({
  profitPesewas: pesewas(row?.profit ?? 0),
  soldPesewas: pesewas(row?.sold ?? 0),
  orders: row?.count ?? 0,
})

/** The sales since a moment that have an own price, with their profit. A phone number is in the form 0241234567. */
const salesSince = (accountId: string, since: Date) => sql`
  select orders.created_at, ${ownPriceOfOrder} as sold, ${ownPriceOfOrder} - orders.price as profit,
    regexp_replace(orders.recipient, '^233(\\d{9})$', '0\\1') as recipient
  from orders ${ownRuleOfOrder}
  where orders.account_id = ${accountId} and orders.id >= ${firstIdAt(since.getTime() - idToleranceMilliseconds)}::uuid
    and orders.created_at >= ${since} and ${isSale} and own.rule is not null`

/** Reads what the account earned by its own prices. Days are Accra's, which are UTC's. */
export async function readProfit(db: Db, accountId: string, now = new Date()): Promise<Profit> {
  const { rows: any } = await sql`select from own_prices where account_id = ${accountId} limit 1`.execute(db)
  if (any.length === 0) return { isKnown: false, today: sumOf(undefined), week: sumOf(undefined), customers: [] }
  const today = new Date(Math.floor(now.getTime() / dayMilliseconds) * dayMilliseconds)
  const week = new Date(today.getTime() - (daysOfWeek - 1) * dayMilliseconds)
  const sums = sql`coalesce(sum(profit), 0)::bigint as profit, coalesce(sum(sold), 0)::bigint as sold, count(*)::int as count`
  const [{ rows: totals }, { rows: customers }] = await Promise.all([
    sql<SumRow & { is_today: boolean }>`
      select created_at >= ${today} as is_today, ${sums} from (${salesSince(accountId, week)}) sales group by 1`.execute(db),
    sql<SumRow & { recipient: string; name: string | null }>`
      select best.*, customers.name from (
        select recipient, ${sums} from (${salesSince(accountId, week)}) sales where recipient <> ''
        group by recipient order by profit desc, recipient limit ${customersShown}
      ) best
      left join customer_numbers on customer_numbers.account_id = ${accountId} and number = recipient
      left join customers on customers.id = customer_id
      order by best.profit desc, recipient`.execute(db),
  ])
  const before = sumOf(totals.find(({ is_today: isToday }) => !isToday))
  const ofToday = sumOf(totals.find(({ is_today: isToday }) => isToday))
  return {
    isKnown: true,
    today: ofToday,
    week: {
      profitPesewas: pesewas(before.profitPesewas + ofToday.profitPesewas),
      soldPesewas: pesewas(before.soldPesewas + ofToday.soldPesewas),
      orders: before.orders + ofToday.orders,
    },
    customers: customers.map((row) => ({ recipient: row.recipient, name: row.name, ...sumOf(row) })),
  }
}
