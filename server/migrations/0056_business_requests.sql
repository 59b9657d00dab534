-- Accounts ask to be approved as a business, which is what sending SMS takes; the operator decides.
create table business_requests (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  registration_number text not null,
  purpose text not null,
  state text not null default 'waiting',
  -- Why it was declined, for the one who asked.
  reason text,
  asked_by text not null,
  asked_at timestamptz not null default clock_timestamp(),
  decided_by text,
  decided_at timestamptz,
  constraint business_requests_state_is_known check (state in ('waiting', 'approved', 'declined')),
  constraint business_requests_decided_has_its_time check ((state = 'waiting') = (decided_at is null)),
  constraint business_requests_declined_says_why check ((state = 'declined') = (reason is not null))
);
create unique index business_requests_one_waits_per_account on business_requests (account_id) where state = 'waiting';
create index business_requests_of_an_account on business_requests (account_id, id);
grant select, insert, update on business_requests to makola_app;
