-- Makes the missing partitions of all partitioned tables, from the month of `since` to two months after this one. Processes may
-- call it too: it makes empty partitions and nothing else. Two calls at once make each partition once.
--
-- A partition is made as a table and attached afterwards: so it waits for no purchase, and no purchase waits for it. It has no
-- grants, because rows are read and written through the whole table.
--
-- Autovacuum visits a partition whenever it has grown by a twentieth, and freezes what is a hundred thousand transactions old:
-- orders have ended then, so hardly a page is written twice for it, and little is left to freeze when the month is over.
create function create_partitions(since timestamptz) returns void language plpgsql
security definer set search_path = public, pg_temp set timezone = 'UTC'
as $$
declare
  first_month timestamptz := date_trunc('month', greatest(since, timestamptz '2020-01-01'));
  parent partitioned_tables;
  month timestamptz;
  partition text;
begin
  perform pg_advisory_xact_lock(hashtextextended('makola partitions', 0));
  for parent in select * from partitioned_tables order by name loop
    for month in select generate_series(first_month, date_trunc('month', now()) + interval '2 months', interval '1 month') loop
      partition := parent.name || to_char(month, '_YYYY_MM');
      continue when to_regclass(partition) is not null;
      execute format('create table %I (like %I including defaults including constraints)
        with (%s, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_freeze_min_age = 100000)',
        partition, parent.name, parent.storage);
      if exists (select from pg_trigger
        where tgrelid = parent.name::regclass and tgfoid = 'refuse_to_change_history'::regproc) then
        -- A trigger of the whole table does not see a statement that names the partition.
        execute format('create trigger %I before update or delete or truncate on %I
          for each statement execute function refuse_to_change_history()', partition || '_is_append_only', partition);
      end if;
      execute format('alter table %I attach partition %I for values from (%L) to (%L)',
        parent.name, partition, first_id_at(month), first_id_at(month + interval '1 month'));
    end loop;
  end loop;
end $$;
revoke execute on function create_partitions(timestamptz) from public;
grant execute on function create_partitions(timestamptz) to makola_app;
