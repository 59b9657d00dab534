-- Refuses every change and deletion of a row. Tables whose rows are only ever added have a trigger that calls it.
create function refuse_to_change_history() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are history and are never changed', tg_table_name
    using errcode = 'restrict_violation';
end $$;
