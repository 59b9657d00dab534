create table webhook_endpoints (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  url text not null,
  events text[] not null,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  state text not null default 'active',
  pause_reason text,
  created_at timestamptz not null default clock_timestamp(),
  active_since timestamptz not null default clock_timestamp(),
  failures integer not null default 0,
  is_slow boolean not null default false,
  delivered_at timestamptz,
  next_try_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz not null default '-infinity',
  lease_no bigint not null default 0,
  constraint webhook_endpoints_state_is_known check (state in ('active', 'paused')),
  constraint webhook_endpoints_pause_has_its_reason check ((state = 'paused') = (pause_reason is not null)),
  constraint webhook_endpoints_pause_reason_is_known check (pause_reason in ('owner', 'operator', 'failing', 'gone')),
  constraint webhook_endpoints_has_events check (cardinality(events) > 0)
);
comment on table webhook_endpoints is
  'An address of a reseller''s program, to which events of its account are sent (Standard Webhooks).
Grows: a row per endpoint.';
comment on column webhook_endpoints.secret is 'Sealed. Signs every request.';
comment on column webhook_endpoints.previous_secret is
  'Sealed. The secret before the last change. It signs beside the new one until `previous_secret_until`.';
comment on column webhook_endpoints.active_since is 'The time since when it has not been paused.';
comment on column webhook_endpoints.failures is 'Rounds in a row in which no request was taken.';
comment on column webhook_endpoints.is_slow is 'A request of its last round took seconds, so it does not share places with quick endpoints.';
comment on column webhook_endpoints.delivered_at is 'When it last took an event; null: never.';
comment on column webhook_endpoints.next_try_at is 'After a failure nothing is sent to the endpoint before this time.';
comment on column webhook_endpoints.lease_until is 'One worker at a time sends to an endpoint, so its events keep their order.';

create index webhook_endpoints_of_an_account on webhook_endpoints (account_id);
comment on index webhook_endpoints_of_an_account is 'Serves the events of an account, and its list.';
grant select, insert, update, delete on webhook_endpoints to makola_app;

create sequence webhook_events_event_no_seq;
create table webhook_events (
  event_no bigint primary key default nextval('webhook_events_event_no_seq'),
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  type text not null,
  data json not null,
  happened_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp()
);
alter sequence webhook_events_event_no_seq owned by webhook_events.event_no;
grant usage on sequence webhook_events_event_no_seq to makola_app;
comment on table webhook_events is
  'An event that at least one endpoint of its account asked for. It holds no number of a recipient.
Grows: a row per event of accounts with endpoints; a timer removes those of more than 30 days.';
create index webhook_events_by_time on webhook_events using brin (created_at) with (pages_per_range = 32);
comment on index webhook_events_by_time is 'Serves the removal of old events, which lie next to each other.';
create index webhook_events_by_id on webhook_events using hash (id);
comment on index webhook_events_by_id is 'Serves one entry of the log, and its repeat.';
grant select, insert, delete on webhook_events to makola_app;

create table webhook_deliveries (
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  event_no bigint not null,
  subject text not null,
  state text not null default 'waiting',
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  queued_at timestamptz not null default clock_timestamp(),
  tried_at timestamptz,
  milliseconds integer,
  status smallint,
  answer text,
  failure text,
  constraint webhook_deliveries_once_per_endpoint_and_event primary key (endpoint_id, event_no),
  constraint webhook_deliveries_state_is_known check (state in ('waiting', 'delivered'))
) with (fillfactor = 80);
comment on table webhook_deliveries is
  'An event for an endpoint, with its last try.
Grows: a row per event and endpoint; a timer removes those of more than 30 days.';
comment on column webhook_deliveries.subject is
  'What the event is about, such as the id of an order: events with one subject are sent in their order.';
comment on column webhook_deliveries.queued_at is 'Since when it waits, or waited last: a delivered event may be sent again.';
comment on column webhook_deliveries.status is 'The HTTP status of the last answer; null: there was none.';
comment on column webhook_deliveries.answer is 'The beginning of the last answer.';
comment on column webhook_deliveries.failure is 'Why the last try failed; null: it did not.';

create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_try_at, event_no) where state = 'waiting';
comment on index webhook_deliveries_due is 'Serves the worker that sends what is due.';

create index webhook_deliveries_in_order on webhook_deliveries (endpoint_id, subject, event_no) where state = 'waiting';
comment on index webhook_deliveries_in_order is 'Serves the question whether an earlier event of the same order still waits.';

create index webhook_deliveries_by_time on webhook_deliveries using brin (created_at) with (pages_per_range = 32);
comment on index webhook_deliveries_by_time is 'Serves the removal of old deliveries.';
grant select, insert, update, delete on webhook_deliveries to makola_app;

create table webhook_messages (
  campaign_id uuid not null,
  n integer not null,
  account_id uuid not null,
  status text not null,
  ended_at timestamptz not null
);
comment on table webhook_messages is
  'A message of a campaign that was delivered or failed, of an account that wants to hear of it, until it is in an event.
Grows: a row per message; a timer takes them away every second.';
comment on column webhook_messages.n is 'Its place among the recipients of its campaign.';
grant select, insert, delete on webhook_messages to makola_app;

create table webhook_progress (
  is_only boolean primary key default true,
  seen pg_snapshot not null,
  seen_at timestamptz not null,
  constraint webhook_progress_is_one_row check (is_only)
);
comment on table webhook_progress is
  'The snapshot up to which events were made of the moves of orders and of transfers, and its time, up to which they were made
of incidents that end by themselves.
Grows: one row.';
grant select, insert, update on webhook_progress to makola_app;
