-- Renews the statistics of one partitioned table: of the one that has grown most since the last time, by a tenth at least.
-- Autovacuum looks at each partition, and never at the whole, by whose statistics joins and lists over many months are planned.
create function analyze_partitioned_table() returns void language plpgsql
security definer set search_path = public, pg_temp set lock_timeout = '5s'
as $$
declare
  grown text;
begin
  select partitioned_tables.name into grown
  from partitioned_tables
  join pg_class as whole on whole.oid = partitioned_tables.name::regclass
  cross join lateral (
    select sum(greatest(child.reltuples, 0)) as rows
    from pg_inherits join pg_class as child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = whole.oid
  ) as partitions
  where partitions.rows > greatest(whole.reltuples, 0) * 1.1 + 100
  order by partitions.rows / greatest(whole.reltuples, 1) desc limit 1;
  if grown is null then return; end if;
  -- Before version 18 the partitions are analyzed with the table.
  execute format(case when current_setting('server_version_num')::integer >= 180000 then 'analyze only %I' else 'analyze %I' end, grown);
end $$;
revoke execute on function analyze_partitioned_table() from public;
grant execute on function analyze_partitioned_table() to makola_app;
