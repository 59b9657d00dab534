-- Puts the rows of a month back into their tables, when all of them wait beside these: the last step of bringing back. The copies of
-- the rows that had stayed go, because the whole partitions have them too; those that came later are added.
create function put_month_back(wanted date) returns void language plpgsql
security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  expected jsonb;
  taken_out_at timestamptz;
  tables text[];
  parent text;
  partition text;
  row_count bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('makola partitions', 0));
  select row_counts, month.taken_out_at into expected, taken_out_at from put_away_months as month
  where month.month = wanted and state in ('taken_out', 'written', 'coming_back') for update;
  if not found then
    raise exception 'the rows of % are not there', wanted using errcode = 'restrict_violation';
  end if;
  tables := array(select jsonb_object_keys(expected));
  foreach parent in array tables loop
    partition := partition_of(parent, wanted);
    execute format('revoke all on %I from makola_app', partition || '_away');
    execute format('select count(*) from %I', partition || '_away') into row_count;
    if row_count <> (expected ->> parent)::bigint then
      raise exception '% has % rows in place of %', partition || '_away', row_count, expected ->> parent
        using errcode = 'restrict_violation';
    end if;
    execute format('lock table %I in share mode', partition);
    -- A row gets its time a moment before it is written.
    execute format('insert into %I (select * from %I where created_at >= $1 except select * from %I where created_at >= $1)
      on conflict do nothing', partition || '_away', partition, partition || '_away')
      using taken_out_at - interval '10 minutes';
    execute format('analyze %I', partition || '_away');
    -- With this constraint PostgreSQL need not read the rows again while the tables are locked.
    execute format('alter table %I add constraint lies_in_its_month check (%I >= %L and %I < %L)', partition || '_away',
      partition_key_of(parent), first_id_at(wanted), partition_key_of(parent), first_id_at(wanted + interval '1 month'));
    if exists (select from pg_trigger where tgrelid = parent::regclass and tgfoid = 'refuse_to_change_history'::regproc)
      and not exists (select from pg_trigger
        where tgrelid = (partition || '_away')::regclass and tgname = partition || '_is_append_only') then
      execute format('create trigger %I before update or delete or truncate on %I
        for each statement execute function refuse_to_change_history()', partition || '_is_append_only', partition || '_away');
    end if;
  end loop;
  perform swap_partitions(tables, wanted, '_kept', '_away');
  foreach parent in array tables loop
    partition := partition_of(parent, wanted);
    execute format('alter table %I drop constraint lies_in_its_month', partition);
    execute format('drop table %I', partition || '_kept');
  end loop;
  delete from put_away_wallets where month = wanted;
  delete from put_away_months where month = wanted;
  -- Rows that were put away before they were old enough to be forgotten are looked at again.
  delete from forgetting_progress;
end $$;
revoke execute on function put_month_back(date) from public;
grant execute on function put_month_back(date) to makola_app;
