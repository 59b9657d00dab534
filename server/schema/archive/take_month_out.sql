-- Takes the rows of a month out of the tables that are put away: the first step. In one transaction, each of these tables gets a
-- small partition in place of its whole one, with copies of the rows that stay, and the wallets' states before and after the
-- missing entries are noted. The whole partitions wait beside the tables, unchanged.
--
-- What stays is everything about an order or another cause that was still touched after the month's end, that failed or was given
-- back, or that brought money or credits in: people still ask about these, and statements of later months show them.
create function take_month_out(wanted date) returns void language plpgsql
security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  month_end timestamptz := wanted + interval '1 month';
  tables text[] := array(select name from partitioned_tables
    where is_put_away and to_regclass(partition_of(name, wanted)) is not null order by name);
  parent text;
  partition text;
  row_counts jsonb := '{}';
  row_count bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('makola partitions', 0));
  if exists (select from put_away_months where month = wanted) then
    return;
  end if;
  if wanted <> date_trunc('month', wanted) or month_end > forget_numbers_before() - interval '1 day' then
    raise exception 'the month % is not old enough to be put away', wanted using errcode = 'restrict_violation';
  end if;
  if exists (select from open_orders where order_id >= first_id_at(wanted) and order_id < first_id_at(month_end)) then
    raise exception 'an order of % is open', wanted using errcode = 'restrict_violation';
  end if;

  create temp table staying (id uuid primary key) on commit drop;
  foreach parent in array tables loop
    partition := partition_of(parent, wanted);
    if exists (select from pg_trigger where tgrelid = partition::regclass and tgfoid = 'refuse_to_change_history'::regproc) then
      -- A new row of this month waits from here on, so that none is missed. Other months do not wait.
      execute format('lock table %I in share mode', partition);
    end if;
    execute format('insert into staying select %I from %I where created_at >= $1 or created_at < $2 on conflict do nothing',
      partition_key_of(parent), partition) using month_end, wanted::timestamptz;
  end loop;
  execute format('insert into staying select order_id from %I where to_status in (''failed'', ''refunded'', ''cancelled'')
    on conflict do nothing', partition_of('order_events', wanted));
  execute format('insert into staying select cause_id from %I where kind not in (''purchase'', ''commission'') on conflict do nothing',
    partition_of('transfers', wanted));
  analyze staying;

  execute format($statement$
    insert into put_away_wallets
    with gone as materialized (
      select * from %I as transfer where not exists (select from staying where staying.id = transfer.cause_id)
    ), entries as materialized (
      select account_id, from_purse as purse, from_entry_no as entry_no, -amount as change, from_balance_after as balance_after
      from gone where from_entry_no is not null
      union all
      select account_id, to_purse, to_entry_no, amount, to_balance_after from gone where to_entry_no is not null
    ), spans as (
      select account_id, purse, min(entry_no) as first_no, max(entry_no) as last_no from entries group by account_id, purse
    )
    select $1, account_id, purse, first_no - 1, first.balance_after - first.change, last_no, last.balance_after
    from spans join entries as first using (account_id, purse) join entries as last using (account_id, purse)
    where first.entry_no = first_no and last.entry_no = last_no
  $statement$, partition_of('transfers', wanted)) using wanted;

  foreach parent in array tables loop
    partition := partition_of(parent, wanted);
    execute format('create table %I (like %I including defaults including constraints) with (%s)',
      partition || '_kept', parent, (select storage from partitioned_tables where name = parent));
    execute format('insert into %I select * from %I where %I in (select id from staying)',
      partition || '_kept', partition, partition_key_of(parent));
    execute format('create trigger put_away_is_only_read before insert on %I for each row execute function refuse_put_away(%L)',
      partition || '_kept', partition_key_of(parent));
    execute format('analyze %I', partition || '_kept');
    execute format('select count(*) from %I', partition) into row_count;
    row_counts := row_counts || jsonb_build_object(parent, row_count);
  end loop;

  insert into put_away_months (month, row_counts) values (wanted, row_counts);
  perform swap_partitions(tables, wanted, '_away', '_kept');
  foreach parent in array tables loop
    execute format('grant select on %I to makola_app', partition_of(parent, wanted) || '_away');
  end loop;

  -- A recount of the daily sums that begins after this keeps the days of this month. A recount that began earlier would lose
  -- them, so it must be complete.
  lock table report_progress in share mode;
  if not exists (select from report_progress where first_day <= greatest(oldest_day, wanted)) then
    raise exception 'the daily sums of % are not counted yet', wanted using errcode = 'restrict_violation';
  end if;
  if exists (select from cost_recounts where since < month_end) then
    raise exception 'the costs of % are not counted again yet', wanted using errcode = 'restrict_violation';
  end if;
end $$;
revoke execute on function take_month_out(date) from public;
grant execute on function take_month_out(date) to makola_app;
