-- Makes the missing parts of all tables in parts, from the month of `since` to two months after this one. Processes may call it
-- too: it makes empty parts and nothing else. Two calls at once make each part once.
--
-- A part is made as a table and attached afterwards: so it waits for no purchase, and no purchase waits for it. It has no grants,
-- because rows are read and written through the whole table.
--
-- Autovacuum visits a part whenever it has grown by a twentieth, and freezes what is a hundred thousand transactions old: orders
-- have ended then, so hardly a page is written twice for it, and little is left to freeze when the month is over.
create function make_parts(since timestamptz) returns void language plpgsql
security definer set search_path = public, pg_temp set timezone = 'UTC'
as $$
declare
  first_month timestamptz := date_trunc('month', greatest(since, timestamptz '2020-01-01'));
  parted tables_in_parts;
  month timestamptz;
  part text;
begin
  perform pg_advisory_xact_lock(hashtextextended('makola parts', 0));
  for parted in select * from tables_in_parts order by name loop
    for month in select generate_series(first_month, date_trunc('month', now()) + interval '2 months', interval '1 month') loop
      part := parted.name || to_char(month, '_YYYY_MM');
      continue when to_regclass(part) is not null;
      execute format('create table %I (like %I including defaults including constraints)
        with (%s, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_freeze_min_age = 100000)',
        part, parted.name, parted.storage);
      if exists (select from pg_trigger where tgrelid = parted.name::regclass and tgfoid = 'refuse_to_change_history'::regproc) then
        -- A trigger of the whole table does not see a statement that names the part.
        execute format('create trigger %I before update or delete or truncate on %I
          for each statement execute function refuse_to_change_history()', part || '_is_append_only', part);
      end if;
      execute format('alter table %I attach partition %I for values from (%L) to (%L)',
        parted.name, part, first_id_at(month), first_id_at(month + interval '1 month'));
    end loop;
  end loop;
end $$;
revoke execute on function make_parts(timestamptz) from public;
grant execute on function make_parts(timestamptz) to makola_app;
