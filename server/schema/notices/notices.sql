create table alarms (
  id uuid primary key,
  name text not null,
  subject text not null,
  about text,
  message text not null,
  command text,
  raised_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  cleared_at timestamptz
);
comment on table alarms is
  'A condition that needs a person, until it is over. One alarm is open per name and subject.
Grows: a row each time that an alarm is raised, for ever.';

comment on column alarms.about is 'What people call the subject, where the subject itself is an id.';
comment on column alarms.command is 'A sentence with the command that helps. The desk leaves it out.';

create unique index alarms_one_open_per_subject on alarms (name, subject) where cleared_at is null;
comment on index alarms_one_open_per_subject is 'Allows one open alarm per name and subject; serves raising and clearing.';

create index alarms_by_time on alarms (raised_at, id);
comment on index alarms_by_time is 'Serves the desk''s list of alarms, newest first.';

create index alarms_by_end on alarms (cleared_at) where cleared_at is not null;
comment on index alarms_by_end is 'Serves the timer that announces the ends of alarms.';

grant select, insert, update on alarms to makola_app;

create table alert_notices (
  alarm_id uuid not null,
  change text not null,
  channel text not null,
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  dropped_at timestamptz,
  last_failure text,
  constraint alert_notices_once_per_change_and_channel primary key (alarm_id, change, channel),
  constraint alert_notices_change_is_known check (change in ('raised', 'cleared')),
  constraint alert_notices_channel_is_known check (channel in ('email', 'webhook'))
);
comment on table alert_notices is
  'One message about an alarm to the operator, over one channel. It is pending until it is sent, or dropped because it is not
needed any more.
Grows: a row per alarm, change and channel, for ever.';

create index alert_notices_pending on alert_notices (next_try_at) where sent_at is null and dropped_at is null;
comment on index alert_notices_pending is 'Serves the timer that sends what is due.';

create index alert_notices_dropped on alert_notices (created_at) where sent_at is null and dropped_at is not null;
comment on index alert_notices_dropped is 'Serves the timer that sends what was dropped, once its channel is back.';

grant select, insert, update on alert_notices to makola_app;

create table courtesy_notices (
  order_id uuid not null,
  channel text not null,
  state text not null default 'queued',
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint courtesy_notices_once_per_order_and_channel primary key (order_id, channel),
  constraint courtesy_notices_channel_is_known check (channel in ('sms', 'email')),
  constraint courtesy_notices_state_is_known check (state in ('queued', 'sending', 'sent', 'undelivered', 'unknown')),
  constraint courtesy_notices_sending_has_a_lease check ((state = 'sending') = (lease_until is not null)),
  constraint courtesy_notices_ended_has_its_time check ((state in ('sent', 'undelivered', 'unknown')) = (ended_at is not null))
);
comment on table courtesy_notices is
  'A message that a buyer asked to have sent to the final customer. A row holds no address and no text: both are read from the
order when it is sent. At most one message per order and channel is ever sent.
Grows: a row per order that asks for it and channel, for ever.';
comment on column courtesy_notices.reason is 'The reason why it was not delivered, without the address and the text.';

create index courtesy_notices_waiting on courtesy_notices (next_try_at) where state in ('queued', 'sending');
comment on index courtesy_notices_waiting is 'Serves the timer that sends what is due.';

grant select, insert, update on courtesy_notices to makola_app;

create table reseller_notices (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  kind text not null,
  about text not null,
  channel text not null,
  subject text not null,
  body text not null,
  state text not null default 'queued',
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz,
  sent_to text,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint reseller_notices_once_per_cause_and_channel unique (account_id, kind, about, channel),
  constraint reseller_notices_channel_is_known check (channel in ('sms', 'email')),
  constraint reseller_notices_state_is_known check (state in ('queued', 'sending', 'sent', 'failed')),
  constraint reseller_notices_sending_has_a_lease check ((state = 'sending') = (lease_until is not null)),
  constraint reseller_notices_ended_has_its_time check ((state in ('sent', 'failed')) = (ended_at is not null))
);
comment on table reseller_notices is
  'A notice to a reseller about its account, over one channel. Written in the transaction of its cause. Its text is stored, so
that it can be shown later, and holds no secret. It goes to the account''s address at the moment of sending.
Grows: a row per cause and channel, for ever.';
comment on column reseller_notices.reason is 'The reason why the last try failed, without the address and the text.';

create index reseller_notices_waiting on reseller_notices (next_try_at) where state in ('queued', 'sending');
comment on index reseller_notices_waiting is 'Serves the timer that sends what is due.';

create index reseller_notices_by_time on reseller_notices (created_at, id);
comment on index reseller_notices_by_time is 'Serves the desk''s list of notices, newest first.';

create index reseller_notices_of_an_account on reseller_notices (account_id, created_at, id);
comment on index reseller_notices_of_an_account is 'Serves the notices of one account, newest first.';

grant select, insert, update on reseller_notices to makola_app;
