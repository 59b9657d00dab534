-- Refuses to change a set of prices that was carried out or cancelled.
create function keep_ended_price_sets() returns trigger language plpgsql as $$
begin
  if old.state in ('done', 'cancelled') then
    raise exception 'a set of scheduled prices that is % stays so', old.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
