-- What each account wishes to be told. No row: mails about decisions and refunds, and none about its balance.
-- `low_since` stands while the balance is below the threshold and the account has been told; `falls` counts how often.
create table account_notice_settings (
  account_id uuid primary key references accounts (id),
  low_balance bigint,
  phone text,
  low_since timestamptz,
  falls integer not null default 0,
  updated_at timestamptz not null default clock_timestamp(),
  constraint account_notice_settings_low_balance_is_positive check (low_balance > 0),
  constraint account_notice_settings_phone_is_a_ghanaian_number check (phone ~ '^233[0-9]{9}$')
);

-- What resellers are told about their accounts, written in the transaction of its cause: a row is one notice over one
-- channel. It holds its words, so that what was said can be shown later; they hold no secret. The address is the
-- account's at the moment of sending.
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
  -- Why the last try failed, in words that name neither the address nor the text.
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint reseller_notices_once_per_cause_and_channel unique (account_id, kind, about, channel),
  constraint reseller_notices_channel_is_known check (channel in ('sms', 'email')),
  constraint reseller_notices_state_is_known check (state in ('queued', 'sending', 'sent', 'failed')),
  constraint reseller_notices_sending_has_a_lease check ((state = 'sending') = (lease_until is not null)),
  constraint reseller_notices_ended_has_its_time check ((state in ('sent', 'failed')) = (ended_at is not null))
);
create index reseller_notices_waiting on reseller_notices (next_try_at) where state in ('queued', 'sending');
create index reseller_notices_by_time on reseller_notices (created_at, id);

grant select, insert, update on account_notice_settings, reseller_notices to makola_app;
