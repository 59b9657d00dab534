-- outside a transaction
-- Each import of vouchers is a batch: its vouchers have its moment, to the microsecond, because both are the time of one
-- transaction. Imports of before are found by that. A statement that was broken off is begun again from its start.

create table if not exists voucher_batches (
  id uuid primary key,
  type_id uuid not null references voucher_types (id),
  imported_at timestamptz not null default now(),
  imported bigint not null,
  -- Rows of the file that were known already.
  skipped bigint not null,
  file_name text,
  -- Null for imports from before batches were noted.
  imported_by text,
  constraint voucher_batches_one_per_type_and_moment unique (type_id, imported_at),
  constraint voucher_batches_are_not_empty check (imported > 0 and skipped >= 0)
);
grant select, insert on voucher_batches to makola_app;

insert into voucher_batches (id, type_id, imported_at, imported, skipped)
  select gen_random_uuid(), type_id, imported_at, count(*), 0
  from (select type_id, imported_at from vouchers union all select type_id, imported_at from withdrawn_vouchers) as known
  group by type_id, imported_at
  on conflict on constraint voucher_batches_one_per_type_and_moment do nothing;

-- What is left of a batch, and which vouchers those are.
drop index concurrently if exists vouchers_in_stock_by_batch;
create index concurrently vouchers_in_stock_by_batch on vouchers (type_id, imported_at) where order_id is null;
