create table missing_orders (
  order_id uuid primary key,
  gap_id uuid not null references history_gaps (id),
  account_id uuid not null,
  price bigint not null,
  acknowledged_at timestamptz not null,
  noted_at timestamptz not null default clock_timestamp(),
  kind text not null,
  reference text not null,
  repeat_key text,
  released_at timestamptz,
  released_by text,
  reason text,
  constraint missing_orders_released_by_somebody check ((released_at is null) = (released_by is null))
);
comment on table missing_orders is
  'An order that an API acknowledged and that history has lost since. Written from the memory of that API. Until a person releases
it, a repeat of its reference is answered `outcome_unknown`.
Grows: a row per order that is lost when history goes back, hardly ever.';
comment on column missing_orders.price is 'In the unit of its product.';
comment on column missing_orders.repeat_key is 'Recognises a repeat of the request. Null: no repeat can be recognised.';

create index missing_orders_of_a_gap on missing_orders (gap_id, order_id);
comment on index missing_orders_of_a_gap is 'Serves `makola history show`.';

create index missing_orders_not_released on missing_orders (order_id) where released_at is null;
comment on index missing_orders_not_released is 'Serves each API: the references that are not to be placed again.';
grant select, insert, update on missing_orders to makola_app;
