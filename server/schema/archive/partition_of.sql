-- The name of a table's partition for a month.
create function partition_of(parent text, month date) returns text language sql stable strict as $$
  select parent || to_char(month, '_YYYY_MM')
$$;

-- The column of a partitioned table whose ids say in which partition a row lies.
create function partition_key_of(parent text) returns text language sql stable strict as $$
  select attname::text from pg_partitioned_table
  join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
  where partrelid = parent::regclass
$$;
revoke execute on function partition_of(text, date), partition_key_of(text) from public;
grant execute on function partition_of(text, date), partition_key_of(text) to makola_app;
