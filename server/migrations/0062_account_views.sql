-- Who of the staff looks at which account as its reseller sees it, for some minutes and in one session. A row is an open
-- view: it goes when the view ends. Beginning and end stand in the operator's log, which is kept.
create table account_views (
  session_id uuid primary key,
  person_id uuid not null references persons (id),
  account_id uuid not null references accounts (id),
  started_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  constraint account_views_end_after_they_start check (ends_at > started_at)
);
create index account_views_by_end on account_views (ends_at);
grant select, insert, update, delete on account_views to makola_app;
