-- Hides the middle of a number of Ghana (024*****67), and all but the last two characters of any other text.
create function masked_number(number text) returns text language sql immutable parallel safe as $$
  select case
    when number = '' then ''
    when number ~ '^(0|233)[0-9]{9}$' then left(number, -7) || '*****' || right(number, 2)
    when length(number) > 7 then '*****' || right(number, 2)
    else '*****' end
$$;
