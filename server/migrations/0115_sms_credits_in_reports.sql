-- What resellers paid for SMS credits is sales of its day. Adds what the daily sums left out so far, exactly the
-- transfers that they hold: those that `counted` sees, of the days from `first_day` on. The lock keeps a worker from counting
-- meanwhile.
with progress as materialized (
  select * from report_progress for update
), paid as materialized (
  select transfers.account_id, transfers.amount, (transfers.created_at at time zone 'Africa/Accra')::date as day
  from progress cross join sms_credit_purchases as bought
  join transfers on transfers.cause_id = bought.id and transfers.kind = 'credits_paid'
  where (transfers.created_at at time zone 'Africa/Accra')::date >= progress.first_day
    and (transfers.created_at <= progress.restored_until or pg_visible_in_snapshot(transfers.transaction_id, progress.counted))
), cells as (
  select 'goods' as slice, day, 'sms_credits' as product, 'none' as role, '' as supplier,
    '00000000-0000-0000-0000-000000000000'::uuid as account_id, sum(amount) as sales
  from paid group by day
  union all
  select 'account', day, '', '', '', account_id, sum(amount) from paid group by day, account_id
  union all
  select 'supplier', day, '', '', 'none', '00000000-0000-0000-0000-000000000000', sum(amount) from paid group by day
)
insert into daily_figures (slice, day, product, role, supplier, account_id, sales)
select * from cells
on conflict (slice, day, product, network, package, role, supplier, account_id)
do update set sales = daily_figures.sales + excluded.sales;
