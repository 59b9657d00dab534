-- The first id (filled up with '0') or the last one ('f') that the order of an outgoing reference may have: the reference begins
-- with the 12 digits of the order's time. Null for a reference that is not one of ours.
create function order_bound_of(reference text, filler text) returns uuid
language sql immutable parallel safe as $$
  select case when reference ~ '^[0-9a-f]{12}' then rpad(left(reference, 12), 32, filler)::uuid end
$$;
