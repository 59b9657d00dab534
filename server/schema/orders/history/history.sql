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
  is_placed_again boolean not null default false,
  reason text,
  constraint missing_orders_released_by_somebody check ((released_at is null) = (released_by is null))
);
comment on table missing_orders is
  'An order that an API acknowledged and that history has lost since. Written from the memory of that API. Until a person releases
it, a repeat of its reference is answered `outcome_unknown`.
Grows: a row per order that is lost when history goes back, hardly ever.';
comment on column missing_orders.is_placed_again is
  'True: the next request with its reference places it under its old id, so that suppliers recognise it. False and released: that
request is a new order.';
comment on column missing_orders.price is 'In the unit of its product.';
comment on column missing_orders.repeat_key is 'Recognises a repeat of the request. Null: no repeat can be recognised.';

create index missing_orders_of_a_gap on missing_orders (gap_id, order_id);
comment on index missing_orders_of_a_gap is 'Serves `makola history show`.';

create index missing_orders_not_released on missing_orders (order_id) where released_at is null;
comment on index missing_orders_not_released is 'Serves each API: the references that are not to be placed again.';
grant select, insert, update on missing_orders to makola_app;

create table missing_sends (
  order_id uuid not null,
  gap_id uuid not null references history_gaps (id),
  sent_at timestamptz,
  asked_at timestamptz,
  supplier text not null,
  outgoing_reference text not null,
  answer text,
  primary key (supplier, outgoing_reference)
);
comment on table missing_sends is
  'A reference at a supplier of which no attempt is left after history went back: a worker remembers that it was sent, or it is the
one that a missing order would have had. The supplier is asked about it, for people to decide.
Grows: a row per lost send, and a few per lost order, hardly ever.';
comment on column missing_sends.sent_at is 'Null: nobody remembers whether it was sent.';
comment on column missing_sends.answer is
  'The meaning of the supplier''s last answer, such as `delivered` or `never_received`; `cannot_ask` where it does not know our references.';

create index missing_sends_of_an_order on missing_sends (order_id);
comment on index missing_sends_of_an_order is 'Serves `makola history show`, and the search for missing orders that are not asked about.';

create index missing_sends_of_a_gap on missing_sends (gap_id);
comment on index missing_sends_of_a_gap is 'Serves `makola history show`.';
grant select, insert, update on missing_sends to makola_app;
