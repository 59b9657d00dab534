import { type RawBuilder, sql } from 'kysely'
import type { AuditCheck, AuditScope } from '../money/audit.ts'
import { orderById } from '../orders/order.ts'
import { isOfPresentMonth } from '../platform/partitions/put-away-months.ts'

/**
 * The transfers of the days that one piece of the audit checks, as far as the daily sums contain these days. Days of months that are
 * put away are left out: their sums were compared before.
 */
const countedTransfers = ({ days: { first, end } }: AuditScope): RawBuilder<unknown> => sql`
  progress as (
    select *, greatest(progress.first_day, ${first}::date) as audited_from, ${end}::date as audited_until
    from report_progress as progress
  ), counted as materialized (
    select transfers.*, (transfers.created_at at time zone 'Africa/Accra')::date as day
    from progress join transfers on transfers.created_at >= progress.audited_from::timestamp at time zone 'Africa/Accra'
      and transfers.created_at < progress.audited_until::timestamp at time zone 'Africa/Accra'
    where (transfers.created_at <= progress.restored_until or pg_visible_in_snapshot(transfers.transaction_id, progress.counted))
      and ${isOfPresentMonth(sql`transfers.created_at at time zone 'Africa/Accra'`)}
  )`

/** Sums of the ledger, to compare with the daily sums, for any grouping of its transfers. */
const ledgerSums = sql`
  coalesce(sum(amount) filter (where to_purse = 'sales'), 0) as sales,
  coalesce(sum(amount) filter (where from_purse = 'sales'), 0) as refunds,
  coalesce(sum(amount) filter (where transfers.kind = 'commission'), 0) as commission_paid,
  coalesce(sum(amount) filter (where to_purse = 'sms_sales'), 0) as credits_spent,
  coalesce(sum(amount) filter (where from_purse = 'sms_sales'), 0) as credits_returned,
  count(*) filter (where transfers.kind = 'purchase') as orders`

/**
 * Calculates each slice again from the ledger, without the code that counts: accounts by day and account, goods by day,
 * product and role. A sale's supplier is known only when its order ends, so suppliers are checked only for refunds and paid
 * commission.
 */
const figuresDifferFromTransfers: AuditCheck = {
  name: 'daily_figures_differ_from_transfers',
  pieces: 'days',
  badRows: (scope) => sql`
    with ${countedTransfers(scope)}, ledger as (
      select 'account' as slice, day, account_id::text as key, ${ledgerSums} from counted as transfers group by day, account_id
      union all
      select 'goods', day, case when transfers.kind = 'credits_paid' then 'sms_credits/none'
        else orders.kind || '/' || coalesce(orders.role, 'unknown') end as key, ${ledgerSums}
      from counted as transfers left join ${orderById(sql`transfers.cause_id`)} on true
      where orders.id is not null or transfers.kind = 'credits_paid' group by 2, 3
      union all
      select 'supplier', day, '', 0, refunds, commission_paid, 0, credits_returned, 0
      from (select day, ${ledgerSums} from counted as transfers group by day) as given
    ), kept as (
      select slice, day,
        case slice when 'account' then account_id::text when 'goods' then product || '/' || role else '' end as key,
        sum(case slice when 'supplier' then 0 else sales end) as sales, sum(refunds) as refunds,
        sum(commission_paid) as commission_paid, sum(case slice when 'supplier' then 0 else credits_spent end) as credits_spent,
        sum(credits_returned) as credits_returned, sum(case slice when 'supplier' then 0 else orders end) as orders
      from daily_figures cross join progress
      where day >= progress.audited_from and day < progress.audited_until and ${isOfPresentMonth(sql`day`)} group by 1, 2, 3
    )
    select count(*) as bad
    from ledger full join kept using (slice, day, key)
    where coalesce(ledger.sales, 0) <> coalesce(kept.sales, 0) or coalesce(ledger.refunds, 0) <> coalesce(kept.refunds, 0)
      or coalesce(ledger.commission_paid, 0) <> coalesce(kept.commission_paid, 0)
      or coalesce(ledger.credits_spent, 0) <> coalesce(kept.credits_spent, 0)
      or coalesce(ledger.credits_returned, 0) <> coalesce(kept.credits_returned, 0)
      or coalesce(ledger.orders, 0) <> coalesce(kept.orders, 0)`,
}

/**
 * Checks that a day's payments into `sales` less those out of it equal the day's reported sales less refunds, in GHS and in
 * credits, over every kind of transfer. So it finds a new kind that the reports do not count.
 */
const salesDifferFromTheLedger: AuditCheck = {
  name: 'daily_sales_differ_from_the_ledger',
  pieces: 'days',
  badRows: (scope) => sql`
    with ${countedTransfers(scope)}, ledger as (
      select day, sum(case to_purse when 'sales' then amount else 0 end - case from_purse when 'sales' then amount else 0 end) as money,
        sum(case to_purse when 'sms_sales' then amount else 0 end - case from_purse when 'sms_sales' then amount else 0 end) as credits
      from counted group by day
    ), kept as (
      select day, sum(sales - refunds) as money, sum(credits_spent - credits_returned) as credits
      from daily_figures cross join progress
      where day >= progress.audited_from and day < progress.audited_until and slice = 'goods' and ${isOfPresentMonth(sql`day`)}
      group by day
    )
    select count(*) as bad
    from ledger full join kept using (day)
    where coalesce(ledger.money, 0) <> coalesce(kept.money, 0) or coalesce(ledger.credits, 0) <> coalesce(kept.credits, 0)`,
}

const pursesDifferFromTransfers: AuditCheck = {
  name: 'daily_purses_differ_from_transfers',
  pieces: 'days',
  badRows: (scope) => sql`
    with ${countedTransfers(scope)}, ledger as (
      select day, purse, sum(moved_in) as moved_in, sum(moved_out) as moved_out
      from (
        select day, to_purse as purse, amount as moved_in, 0 as moved_out from counted where to_entry_no is not null
        union all
        select day, from_purse, 0, amount from counted where from_entry_no is not null
      ) as entries
      group by day, purse
    ), kept as (
      select daily_purses.* from daily_purses cross join progress
      where day >= progress.audited_from and day < progress.audited_until and ${isOfPresentMonth(sql`day`)}
    )
    select count(*) as bad
    from ledger full join kept using (day, purse)
    where ledger.moved_in is distinct from kept.moved_in or ledger.moved_out is distinct from kept.moved_out`,
}

/** The rules that compare the daily sums with the ledger, to the pesewa. */
export const reportAuditChecks: readonly AuditCheck[] = [
  figuresDifferFromTransfers,
  salesDifferFromTheLedger,
  pursesDifferFromTransfers,
]
