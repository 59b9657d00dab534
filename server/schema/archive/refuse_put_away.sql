-- Refuses new rows about an order that is put away: rows that are sealed in files are only read. Rows about an order that
-- stayed in the table, such as one that was given back, are still taken.
create function refuse_put_away() returns trigger language plpgsql as $$
begin
  if not exists (select from transfers where cause_id = (to_jsonb(new) ->> tg_argv[0])::uuid) then
    raise exception 'the month of % is put away and is only read', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
