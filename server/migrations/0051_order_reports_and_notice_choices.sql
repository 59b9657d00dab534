-- What resellers say of orders that did not arrive, once per order, until the operator answers. No foreign key onto the
-- order: purchases never wait for this table.
create table order_reports (
  order_id uuid primary key,
  account_id uuid not null,
  -- What the reseller wrote; empty when it wrote nothing.
  reason text not null,
  -- The state that the order was in, for the operator.
  status_then text not null,
  reported_by text not null,
  reported_at timestamptz not null default clock_timestamp(),
  answer text,
  answered_by text,
  answered_at timestamptz,
  constraint order_reports_answered_have_all_of_it
    check ((answer is null) = (answered_by is null) and (answer is null) = (answered_at is null))
);
create index order_reports_waiting on order_reports (reported_at, order_id) where answered_at is null;

grant select, insert on order_reports to makola_app;
grant update (answer, answered_by, answered_at) on order_reports to makola_app;

-- What an account does not wish to be told, and over which channel: `order_refunded/email`. The constant default is
-- written into no row, so the table's lock is held for an instant only.
alter table account_notice_settings add column muted text[] not null default '{}';

-- The list of what an account was told, newest first.
create index reseller_notices_of_an_account on reseller_notices (account_id, created_at, id);
