-- Whom an AFA order registers: all of it sealed in one text. Null once it was purged.
create table afa_registrations (
  order_id uuid primary key,
  identity text,
  created_at timestamptz not null default now(),
  -- Who works on it, and when it was taken.
  claimed_by text,
  claimed_at timestamptz,
  purged_at timestamptz,
  constraint afa_registrations_purged_hold_nothing check ((identity is null) = (purged_at is not null))
);
create index afa_registrations_not_purged on afa_registrations (order_id) where purged_at is null;

create index orders_of_afa_by_account on orders (account_id, created_at, id) where kind = 'afa';

grant select, insert, update on afa_registrations to makola_app;
