-- Keeps in `unrefunded_orders` one row for each order that is `failed` and cost something.
create function note_unrefunded_order() returns trigger language plpgsql as $$
begin
  if new.status = 'failed' then
    insert into unrefunded_orders (order_id) values (new.id) on conflict do nothing;
  else
    delete from unrefunded_orders where order_id = new.id;
  end if;
  return null;
end $$;
