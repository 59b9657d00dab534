-- Puts the rows of a month back into their tables, when all of them wait beside these: the last step of bringing back. The copies of
-- the rows that had stayed go, because the whole parts have them too; those that came later are added.
create function put_month_back(wanted date) returns void language plpgsql
security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  expected jsonb;
  taken_out_at timestamptz;
  tables text[];
  parted text;
  part text;
  row_count bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('makola parts', 0));
  select row_counts, month.taken_out_at into expected, taken_out_at from put_away_months as month
  where month.month = wanted and state in ('taken_out', 'written', 'coming_back') for update;
  if not found then
    raise exception 'the rows of % are not there', wanted using errcode = 'restrict_violation';
  end if;
  tables := array(select jsonb_object_keys(expected));
  foreach parted in array tables loop
    part := part_of(parted, wanted);
    execute format('revoke all on %I from makola_app', part || '_away');
    execute format('select count(*) from %I', part || '_away') into row_count;
    if row_count <> (expected ->> parted)::bigint then
      raise exception '% has % rows in place of %', part || '_away', row_count, expected ->> parted
        using errcode = 'restrict_violation';
    end if;
    execute format('lock table %I in share mode', part);
    -- A row gets its time a moment before it is written.
    execute format('insert into %I (select * from %I where created_at >= $1 except select * from %I where created_at >= $1)
      on conflict do nothing', part || '_away', part, part || '_away') using taken_out_at - interval '10 minutes';
    execute format('analyze %I', part || '_away');
    -- With this constraint PostgreSQL need not read the rows again while the tables are locked.
    execute format('alter table %I add constraint lies_in_its_month check (%I >= %L and %I < %L)', part || '_away',
      part_key_of(parted), first_id_at(wanted), part_key_of(parted), first_id_at(wanted + interval '1 month'));
    if exists (select from pg_trigger where tgrelid = parted::regclass and tgfoid = 'refuse_to_change_history'::regproc)
      and not exists (select from pg_trigger where tgrelid = (part || '_away')::regclass and tgname = part || '_is_append_only') then
      execute format('create trigger %I before update or delete or truncate on %I
        for each statement execute function refuse_to_change_history()', part || '_is_append_only', part || '_away');
    end if;
  end loop;
  perform swap_parts(tables, wanted, '_kept', '_away');
  foreach parted in array tables loop
    part := part_of(parted, wanted);
    execute format('alter table %I drop constraint lies_in_its_month', part);
    execute format('drop table %I', part || '_kept');
  end loop;
  delete from put_away_wallets where month = wanted;
  delete from put_away_months where month = wanted;
  -- Rows that were put away before they were old enough to be forgotten are looked at again.
  delete from forgetting_progress;
end $$;
revoke execute on function put_month_back(date) from public;
grant execute on function put_month_back(date) to makola_app;
