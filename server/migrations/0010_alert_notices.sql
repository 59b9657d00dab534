-- Which alarms were told to the operator, over which channel. A row is one message to one channel; it is pending until it
-- was sent, or dropped because nobody needs it any more.
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
create index alert_notices_pending on alert_notices (next_try_at) where sent_at is null and dropped_at is null;

grant select, insert, update on alert_notices to makola_app;
