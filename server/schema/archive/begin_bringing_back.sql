-- Makes empty tables for the rows of a month that are in files only, beside the tables that they belong to. Called again, it empties
-- them, so that a reading that was broken off begins anew. Returns whether there is something to read in.
create function begin_bringing_back(wanted date) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  tables jsonb;
  parent text;
  away text;
begin
  select row_counts into tables from put_away_months where month = wanted and state in ('put_away', 'coming_back') for update;
  if not found then
    return false;
  end if;
  for parent in select jsonb_object_keys(tables) loop
    away := partition_of(parent, wanted) || '_away';
    execute format('drop table if exists %I', away);
    execute format('create table %I (like %I including defaults including constraints including indexes) with (%s)',
      away, parent, (select storage from partitioned_tables where name = parent));
    execute format('grant select, insert on %I to makola_app', away);
  end loop;
  update put_away_months set state = 'coming_back' where month = wanted;
  return true;
end $$;
revoke execute on function begin_bringing_back(date) from public;
grant execute on function begin_bringing_back(date) to makola_app;
