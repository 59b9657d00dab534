-- Kinds of results-checker vouchers on sale. The row is locked by every purchase of its kind, so that
-- `available_count` is exact: it counts the vouchers of the type that nobody has bought.
create table voucher_types (
  id uuid primary key,
  name text not null,
  price_customer bigint not null,
  price_agent bigint not null,
  price_dealer bigint not null,
  is_active boolean not null default true,
  available_count bigint not null default 0,
  -- With fewer than this many left, the operator is told.
  low_stock_count bigint not null default 10,
  created_at timestamptz not null default now(),
  constraint voucher_types_prices_are_positive check (price_customer > 0 and price_agent > 0 and price_dealer > 0),
  constraint voucher_types_available_count_not_negative check (available_count >= 0),
  constraint voucher_types_low_stock_count_not_negative check (low_stock_count >= 0)
) with (fillfactor = 50);
create unique index voucher_types_one_per_name on voucher_types (lower(name));

-- The stock and what became of it. `pin` and `serial_number` are sealed; the keyed hashes find equal ones.
create table vouchers (
  id uuid primary key,
  type_id uuid not null references voucher_types (id),
  pin text not null,
  pin_hash bytea not null,
  serial_number text not null,
  serial_number_hash bytea not null,
  order_id uuid,
  imported_at timestamptz not null default now(),
  sold_at timestamptz,
  constraint vouchers_pin_is_unique_in_its_type unique (type_id, pin_hash),
  constraint vouchers_serial_number_is_unique_in_its_type unique (type_id, serial_number_hash),
  constraint vouchers_sold_have_their_time check ((order_id is null) = (sold_at is null))
) with (fillfactor = 80);
create index vouchers_in_stock on vouchers (type_id, id) where order_id is null;
create index vouchers_of_an_order on vouchers (order_id) where order_id is not null;

-- Stock is added and sold, nothing else: a sold voucher never changes hands, and none is taken away.
create function keep_sold_vouchers() returns trigger language plpgsql as $$
begin
  if old.order_id is not null and (new.order_id is distinct from old.order_id or new.sold_at is distinct from old.sold_at) then
    raise exception 'a sold voucher stays with its order' using errcode = 'restrict_violation';
  end if;
  if new.type_id <> old.type_id then
    raise exception 'a voucher keeps its type' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger vouchers_stay_sold before update on vouchers for each row execute function keep_sold_vouchers();

-- The lists of an account's orders of one product; only rows of that product cost anything.
create index orders_of_vouchers_by_account on orders (account_id, created_at, id) where kind = 'results_checker';

grant select, insert, update on voucher_types, vouchers to makola_app;
