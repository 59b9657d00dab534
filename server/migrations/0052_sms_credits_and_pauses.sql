-- SMS credits that people buy from their wallet: one cause, two transfers, once for each reference of the account.
create table sms_credit_purchases (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  reference text not null,
  credits bigint not null,
  price bigint not null,
  actor text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint sms_credit_purchases_once_per_reference unique (account_id, reference),
  constraint sms_credit_purchases_are_of_something check (credits > 0 and price > 0)
);
grant select, insert on sms_credit_purchases to makola_app;

-- A paused campaign hands over no further message. A cancelled one never does again; what has not left comes back.
alter table sms_campaigns
  add column paused_at timestamptz,
  add column paused_by text,
  add column cancelled_at timestamptz,
  add column cancelled_by text,
  add column cancel_reason text,
  add constraint sms_campaigns_paused_by_somebody check ((paused_at is null) = (paused_by is null)),
  add constraint sms_campaigns_cancelled_by_somebody check ((cancelled_at is null) = (cancelled_by is null));
