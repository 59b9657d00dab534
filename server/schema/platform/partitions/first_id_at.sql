-- The smallest id of a moment: the first 48 bits of an id are the time in milliseconds (UUIDv7).
create function first_id_at(moment timestamptz) returns uuid
language sql stable strict parallel safe as $$
  select rpad(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;
