-- Has autovacuum freeze the partitions whose month ended a week ago or more, once and for good: one partition of each table at
-- each call. With these settings autovacuum finds the partition due for the rows that came since its last visit, reads each
-- page that is not frozen yet, and comes again only when a late row comes. Without these settings the rest of every month would
-- wait until PostgreSQL must freeze it, years later and at any hour. Takes a lock that no statement of a sale waits for.
create function close_partitions() returns void language plpgsql
security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '5s'
as $$
declare
  parent partitioned_tables;
  partition text;
begin
  for parent in select * from partitioned_tables order by name loop
    select child.relname into partition
    from pg_inherits join pg_class as child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = parent.name::regclass
      and child.relname < parent.name || to_char(now() - interval '7 days', '_YYYY_MM')
      and not coalesce(child.reloptions @> array['autovacuum_freeze_table_age=0'], false)
    order by child.relname limit 1;
    continue when partition is null;
    execute format('alter table %I set (autovacuum_freeze_min_age = 0, autovacuum_freeze_table_age = 0,
      autovacuum_vacuum_insert_threshold = 0, autovacuum_vacuum_insert_scale_factor = 0)', partition);
  end loop;
end $$;
revoke execute on function close_partitions() from public;
grant execute on function close_partitions() to makola_app;
