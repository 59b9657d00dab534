-- Takes the partitions of a month out of these tables and puts others in their place, all at one moment. `leaving` is added to
-- the names of the partitions that leave; the names of those that come end with `coming` until then.
--
-- For that moment nobody else may use the tables. To keep purchases waiting no longer than a tenth of a second, the locks are
-- given up and tried again. Nothing has changed when the last try fails.
create function swap_partitions(tables text[], month date, leaving text, coming text) returns void language plpgsql
set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  whole text := (select string_agg(format('only %I', name), ', ' order by name) from unnest(tables) as name);
  parent text;
  partition text;
begin
  perform set_config('lock_timeout', '100ms', true);
  for try in 1..100 loop
    begin
      execute 'lock table ' || whole || ' in access exclusive mode';
      exit;
    exception when lock_not_available or deadlock_detected then
      if try = 100 then raise; end if;
      perform pg_sleep(0.2);
    end;
  end loop;
  foreach parent in array tables loop
    partition := partition_of(parent, month);
    execute format('alter table %I detach partition %I', parent, partition);
    execute format('alter table %I rename to %I', partition, partition || leaving);
    execute format('alter table %I rename to %I', partition || coming, partition);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)',
      parent, partition, first_id_at(month), first_id_at(month + interval '1 month'));
  end loop;
end $$;
revoke execute on function swap_partitions(text[], date, text, text) from public;
