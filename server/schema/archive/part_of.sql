-- The name of a table's part for a month.
create function part_of(parted text, month date) returns text language sql stable strict as $$
  select parted || to_char(month, '_YYYY_MM')
$$;

-- The column of a table in parts whose ids say in which part a row lies.
create function part_key_of(parted text) returns text language sql stable strict as $$
  select attname::text from pg_partitioned_table
  join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
  where partrelid = parted::regclass
$$;
revoke execute on function part_of(text, date), part_key_of(text) from public;
grant execute on function part_of(text, date), part_key_of(text) to makola_app;
