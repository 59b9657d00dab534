-- The moment before which orders and messages are old enough to be forgotten, by the setting `number_months`. It is never later
-- than six months ago, whatever a process wrote into the setting.
create function forget_numbers_before() returns timestamptz language sql stable as $$
  select clock_timestamp() - make_interval(months => greatest(6, coalesce(
    (select (value #>> '{}')::integer from settings where name = 'number_months'), 24)))
$$;
