-- Drops the rows of a month that were taken out and are in files, or of which some were read in again. A login that does not own
-- the tables waits for seven days after the files were written: so an intruder in a process cannot remove history before people
-- saw the line in the log, and people have time to copy the files. Returns whether the rows are dropped.
create function drop_month(wanted date) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  tables jsonb;
  parent text;
  is_due boolean;
begin
  select written_at < clock_timestamp() - interval '7 days' or pg_has_role(session_user, current_user, 'member'), row_counts
  into is_due, tables
  from put_away_months where month = wanted and state in ('written', 'coming_back') for update;
  if is_due is not true then
    return false;
  end if;
  for parent in select jsonb_object_keys(tables) loop
    execute format('drop table %I', partition_of(parent, wanted) || '_away');
  end loop;
  update put_away_months set state = 'put_away' where month = wanted;
  return true;
end $$;
revoke execute on function drop_month(date) from public;
grant execute on function drop_month(date) to makola_app;
