create table voucher_types (
  id uuid primary key,
  name text not null,
  price_customer bigint not null,
  price_agent bigint not null,
  price_dealer bigint not null,
  is_active boolean not null default true,
  available_count bigint not null default 0,
  low_stock_count bigint not null default 10,
  created_at timestamptz not null default now(),
  constraint voucher_types_prices_are_positive check (price_customer > 0 and price_agent > 0 and price_dealer > 0),
  constraint voucher_types_available_count_not_negative check (available_count >= 0),
  constraint voucher_types_low_stock_count_not_negative check (low_stock_count >= 0)
) with (fillfactor = 50);
comment on table voucher_types is
  'A type of results-checker voucher on sale. Every purchase of the type locks the row, so that `available_count` is exact.
Grows: as the operator adds kinds.';
comment on column voucher_types.available_count is 'The number of unsold vouchers of the type.';
comment on column voucher_types.low_stock_count is 'With fewer vouchers than this, an alarm is raised.';

create unique index voucher_types_one_per_name on voucher_types (lower(name));
comment on index voucher_types_one_per_name is 'Allows one type per name.';

grant select, insert, update on voucher_types to makola_app;

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
comment on table vouchers is
  'A voucher in stock or sold. `pin` and `serial_number` are sealed; keyed hashes find equal ones. A sold voucher stays with
its order for ever.
Grows: a row per imported voucher, for ever.';

create index vouchers_in_stock on vouchers (type_id, id) where order_id is null;
comment on index vouchers_in_stock is 'Serves a purchase: the next unsold voucher of the type.';

create index vouchers_of_an_order on vouchers (order_id) where order_id is not null;
comment on index vouchers_of_an_order is 'Serves the vouchers of one order.';

create index vouchers_in_stock_by_batch on vouchers (type_id, imported_at) where order_id is null;
comment on index vouchers_in_stock_by_batch is 'Serves the unsold vouchers of a batch.';

create trigger vouchers_stay_sold before update on vouchers for each row execute function keep_sold_vouchers();
grant select, insert, update on vouchers to makola_app;

create table withdrawn_vouchers (
  id uuid primary key,
  type_id uuid not null references voucher_types (id),
  pin text not null,
  pin_hash bytea not null,
  serial_number text not null,
  serial_number_hash bytea not null,
  imported_at timestamptz not null,
  approval_id uuid not null references approvals (id),
  withdrawn_at timestamptz not null default now()
);
comment on table withdrawn_vouchers is
  'A voucher that two people took out of the stock unsold. It stays sealed as in the table `vouchers`. Written only by
`withdraw_vouchers`; processes may seal it again with another key, and change nothing else.
Grows: a row per withdrawn voucher, for ever.';

create index withdrawn_vouchers_of_an_approval on withdrawn_vouchers (approval_id);
comment on index withdrawn_vouchers_of_an_approval is 'Serves `withdraw_vouchers`, and the vouchers of one approval.';

create index withdrawn_vouchers_by_type on withdrawn_vouchers (type_id);
comment on index withdrawn_vouchers_by_type is 'Serves the stock of a type: the number of withdrawn vouchers.';

create index withdrawn_vouchers_by_serial_number on withdrawn_vouchers (type_id, serial_number_hash);
comment on index withdrawn_vouchers_by_serial_number is 'Serves `makola find` and the desk with a serial number.';

grant select on withdrawn_vouchers to makola_app;
grant update (pin, pin_hash, serial_number, serial_number_hash) on withdrawn_vouchers to makola_app;

create table voucher_batches (
  id uuid primary key,
  type_id uuid not null references voucher_types (id),
  imported_at timestamptz not null default now(),
  imported bigint not null,
  skipped bigint not null,
  file_name text,
  imported_by text,
  constraint voucher_batches_one_per_type_and_moment unique (type_id, imported_at),
  constraint voucher_batches_are_not_empty check (imported > 0 and skipped >= 0)
);
comment on table voucher_batches is
  'An import of vouchers. Its vouchers have the same time, to the microsecond, because one transaction writes both.
Grows: a row per import, for ever.';
comment on column voucher_batches.skipped is 'The number of rows of the file that were known already.';
comment on column voucher_batches.imported_by is 'The person who imported it.';
grant select, insert on voucher_batches to makola_app;
