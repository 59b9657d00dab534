-- Messages that a buyer asked to have sent to the final customer. A row holds no address and no text:
-- both are read from the order when it is sent. At most one message per order and channel is ever sent.
create table courtesy_notices (
  order_id uuid not null,
  channel text not null,
  state text not null default 'queued',
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz,
  -- Why it was not delivered, in words that name neither the address nor the text.
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint courtesy_notices_once_per_order_and_channel primary key (order_id, channel),
  constraint courtesy_notices_channel_is_known check (channel in ('sms', 'email')),
  constraint courtesy_notices_state_is_known check (state in ('queued', 'sending', 'sent', 'undelivered', 'unknown')),
  constraint courtesy_notices_sending_has_a_lease check ((state = 'sending') = (lease_until is not null)),
  constraint courtesy_notices_ended_has_its_time check ((state in ('sent', 'undelivered', 'unknown')) = (ended_at is not null))
);
create index courtesy_notices_waiting on courtesy_notices (next_try_at) where state in ('queued', 'sending');

grant select, insert, update on courtesy_notices to makola_app;
