-- The orders that failed and whose money has not gone back: they wait for a person. A table of its own, because an index on
-- orders.status would make every move of every order write all indexes of the table anew.
create table unrefunded_orders (
  order_id uuid primary key,
  failed_at timestamptz not null default clock_timestamp()
);
create index unrefunded_orders_by_age on unrefunded_orders (failed_at, order_id);
grant select, insert, delete on unrefunded_orders to makola_app;

create function note_unrefunded_order() returns trigger language plpgsql as $$
begin
  if new.status = 'failed' then
    insert into unrefunded_orders (order_id) values (new.id) on conflict do nothing;
  else
    delete from unrefunded_orders where order_id = new.id;
  end if;
  return null;
end $$;
create trigger orders_note_what_is_not_refunded after update of status on orders for each row
  when (old.status is distinct from new.status and (old.status = 'failed' or new.status = 'failed') and new.price > 0)
  execute function note_unrefunded_order();
create trigger orders_note_what_came_unrefunded after insert on orders for each row
  when (new.status = 'failed' and new.price > 0) execute function note_unrefunded_order();

insert into unrefunded_orders (order_id, failed_at)
select id, updated_at from orders where status = 'failed' and price > 0;
