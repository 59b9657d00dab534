-- Has autovacuum freeze the part of each table whose month ended a week ago, once and for good, one part at each call. With these
-- settings autovacuum finds the part due for the rows that came since its last visit, reads each page that is not frozen yet,
-- and comes again only when a late row comes. Without them all that is left of every month would wait until PostgreSQL must
-- freeze it, years later and at any hour. Takes a lock that no statement of a sale waits for.
create function close_parts() returns void language plpgsql
security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '5s'
as $$
declare
  parted tables_in_parts;
  part text;
begin
  for parted in select * from tables_in_parts order by name loop
    select child.relname into part
    from pg_inherits join pg_class as child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = parted.name::regclass
      and child.relname < parted.name || to_char(now() - interval '7 days', '_YYYY_MM')
      and not coalesce(child.reloptions @> array['autovacuum_freeze_table_age=0'], false)
    order by child.relname limit 1;
    continue when part is null;
    execute format('alter table %I set (autovacuum_freeze_min_age = 0, autovacuum_freeze_table_age = 0,
      autovacuum_vacuum_insert_threshold = 0, autovacuum_vacuum_insert_scale_factor = 0)', part);
  end loop;
end $$;
revoke execute on function close_parts() from public;
grant execute on function close_parts() to makola_app;
