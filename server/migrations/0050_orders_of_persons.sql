-- Which person placed an order in the dashboard. A table of its own, so that orders of programs write nothing more than
-- before.
create table orders_of_persons (
  order_id uuid primary key references orders (id),
  person_id uuid not null references persons (id)
);
create index orders_of_persons_by_person on orders_of_persons (person_id, order_id);

grant select, insert on orders_of_persons to makola_app;
