create table push_keys (
  name text primary key,
  public_key text not null,
  private_key text not null,
  made_at timestamptz not null default clock_timestamp()
);
comment on table push_keys is
  'The key pair by which push services know this installation (VAPID, RFC 8292). Browsers have subscribed to the public key.
Grows: one row.';
comment on column push_keys.private_key is 'Sealed.';
grant select, insert on push_keys to makola_app;
grant update (private_key) on push_keys to makola_app;

create table push_devices (
  session_id uuid primary key references person_sessions (id) on delete cascade,
  person_id uuid not null references persons (id) on delete cascade,
  endpoint text not null,
  public_key text not null,
  auth_secret text not null,
  kinds text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  failures integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  constraint push_devices_one_per_endpoint unique (endpoint),
  constraint push_devices_kinds_are_known check (kinds <@ array['delivered', 'failed', 'credited'] and cardinality(kinds) > 0)
);
comment on table push_devices is
  'A signed-in browser that gets push notices, as its person asked there (Web Push, RFC 8030). It ends with its session, or
when its push service no longer knows it.
Grows: a row per browser that asked for it.';
comment on column push_devices.endpoint is 'The address at the push service, which the browser gave.';
comment on column push_devices.public_key is 'The key of the browser to which notices are encrypted (RFC 8291): `p256dh`.';
comment on column push_devices.failures is 'Tries in a row that failed.';

create index push_devices_of_a_person on push_devices (person_id);
comment on index push_devices_of_a_person is 'Serves the devices of one person.';
grant select, insert, update, delete on push_devices to makola_app;

create table push_notices (
  session_id uuid not null references push_devices (session_id) on delete cascade,
  cause_id uuid not null,
  kind text not null,
  tail text not null,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint push_notices_once_per_cause primary key (session_id, cause_id, kind),
  constraint push_notices_kind_is_known check (kind in ('delivered', 'failed', 'credited'))
);
comment on table push_notices is
  'An order that ended or a top-up that was credited, for one device. Those that wait are sent together in one message.
Grows: a row per cause and device; a timer removes those of yesterday.';
comment on column push_notices.tail is 'The last three digits of an order''s number; empty for a top-up.';
comment on column push_notices.ended_at is 'When it was sent or given up.';

create index push_notices_waiting on push_notices (session_id) where ended_at is null;
comment on index push_notices_waiting is 'Serves the timer that sends what waits.';

create index push_notices_by_age on push_notices (created_at);
comment on index push_notices_by_age is 'Serves the timer that removes old ones.';
grant select, insert, update, delete on push_notices to makola_app;

create table push_progress (
  is_only boolean primary key default true,
  looked_until timestamptz not null,
  constraint push_progress_has_one_row check (is_only)
);
comment on table push_progress is
  'Until when the ends of orders were looked at for push notices.
Grows: one row.';
grant select, insert, update on push_progress to makola_app;
