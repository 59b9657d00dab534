create table accounts (
  id uuid primary key,
  email text not null,
  name text not null,
  role text not null,
  role_expires_at timestamptz,
  status text not null default 'active',
  is_business boolean not null default false,
  policy_accepted_at timestamptz,
  created_at timestamptz not null default now(),
  constraint accounts_role_is_known check (role in ('customer', 'agent', 'dealer')),
  constraint accounts_status_is_known check (status in ('active', 'suspended')),
  constraint accounts_customer_role_never_expires check (role <> 'customer' or role_expires_at is null)
);
comment on table accounts is
  'A reseller, who owns money, orders and keys.
Grows: a row per reseller, for ever.';
comment on column accounts.policy_accepted_at is
  'When the developer policy was first accepted. `policy_acceptances` has every version.';

create unique index accounts_one_per_email on accounts (lower(email));
comment on index accounts_one_per_email is 'Allows one account per e-mail; serves `findAccount`.';

create index accounts_by_folded_parts on accounts
  using gin (search_parts(' ' || fold_letters(name || ' ' || email)));
comment on index accounts_by_folded_parts is
  'Serves the desk''s search and `makola find`: any three letters in a row of a name or an e-mail, without accents.';

create trigger accounts_raise_the_epoch after update of status, role, role_expires_at on accounts
  for each statement execute function raise_epoch_of_accounts();
grant select, insert, update on accounts to makola_app;

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  type text not null,
  digest bytea not null,
  hint text not null,
  status text not null,
  created_at timestamptz not null default now(),
  approved_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_ip inet,
  prefix text not null,
  allowed_addresses text[] not null default '{}',
  ends_at timestamptz,
  constraint api_keys_digest_is_unique unique (digest),
  constraint api_keys_type_is_known check (type in ('standard', 'sms', 'commission')),
  constraint api_keys_status_is_known check (status in ('pending', 'active', 'revoked')),
  constraint api_keys_revoked_has_its_time check ((status = 'revoked') = (revoked_at is not null)),
  constraint api_keys_have_few_allowed_addresses check (cardinality(allowed_addresses) <= 50),
  constraint api_keys_pending_has_no_end check (status <> 'pending' or ends_at is null)
);
comment on table api_keys is
  'A key with which an account''s program calls the API. Stored as the SHA-256 of its text.
Grows: a row per key that was made, for ever.';
comment on column api_keys.hint is 'The last four characters of the key, by which its owner recognises it.';
comment on column api_keys.prefix is
  'The first word of the key when it was made. The installation may use another word today.';
comment on column api_keys.allowed_addresses is
  'The networks from which the key may be used, in CIDR notation; empty: from everywhere.';

comment on column api_keys.ends_at is
  'Until when the key may be used beside the one that takes its place. Null: it has no successor.';

create unique index api_keys_one_live_per_account_and_type on api_keys (account_id, type)
  where status <> 'revoked' and ends_at is null;
comment on index api_keys_one_live_per_account_and_type is
  'Allows one live key of each type per account, beside the one that ends.';

create unique index api_keys_one_ending_per_account_and_type on api_keys (account_id, type)
  where status <> 'revoked' and ends_at is not null;
comment on index api_keys_one_ending_per_account_and_type is
  'Allows one key of each type per account that ends; serves the timer that revokes keys whose end has come.';

create index api_keys_by_hint on api_keys (hint, id);
comment on index api_keys_by_hint is 'Serves `makola find` with the end of a key.';

create index api_keys_waiting on api_keys (id) where status = 'pending';
comment on index api_keys_waiting is 'Serves the list of keys that wait for approval. A row is here only while it waits.';

create index api_keys_of_an_account on api_keys (account_id, id);
comment on index api_keys_of_an_account is 'Serves the keys of one account, newest first.';

create index api_keys_by_status on api_keys (status, id);
comment on index api_keys_by_status is 'Serves the desk''s list of keys of one status.';

create index api_keys_by_type on api_keys (type, id);
comment on index api_keys_by_type is 'Serves the desk''s list of keys of one type.';

grant select, insert, update on api_keys to makola_app;

create table account_notice_settings (
  account_id uuid primary key references accounts (id),
  low_balance bigint,
  phone text,
  low_since timestamptz,
  falls integer not null default 0,
  updated_at timestamptz not null default clock_timestamp(),
  muted text[] not null default '{}',
  constraint account_notice_settings_low_balance_is_positive check (low_balance > 0),
  constraint account_notice_settings_phone_is_a_ghanaian_number check (phone ~ '^233[0-9]{9}$')
);
comment on table account_notice_settings is
  'An account''s choices about its notices. No row: mails about decisions and refunds, and none about its balance.
Grows: at most one row per account.';
comment on column account_notice_settings.low_since is
  'When the account got the notice of its present low balance. Null: the balance is not low, or no notice was sent.';
comment on column account_notice_settings.falls is 'The number of times that the balance fell below the threshold.';
comment on column account_notice_settings.muted is
  'The notices that the account switched off, each with its channel: `order_refunded/email`.';

create index account_notice_settings_by_parts on account_notice_settings using gin (search_parts(phone));
comment on index account_notice_settings_by_parts is 'Serves the desk''s search with a part of a phone number.';

grant select, insert, update on account_notice_settings to makola_app;

create table policy_acceptances (
  account_id uuid not null references accounts (id),
  version integer not null,
  person_id uuid,
  address inet,
  accepted_at timestamptz not null default clock_timestamp(),
  constraint policy_acceptances_once_per_version primary key (account_id, version),
  constraint policy_acceptances_version_is_positive check (version > 0)
);
comment on table policy_acceptances is
  'An account''s acceptance of one version of the developer policy: by whom, when, and from which address.
Grows: a row per account and version, for ever.';
comment on column policy_acceptances.person_id is
  'A person of the app. Null: accepted on paper, as for accounts that the operator makes. No foreign key, because the folder
of persons lies above that of accounts.';
grant select, insert on policy_acceptances to makola_app;

create table business_requests (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  registration_number text not null,
  purpose text not null,
  state text not null default 'waiting',
  reason text,
  asked_by text not null,
  asked_at timestamptz not null default clock_timestamp(),
  decided_by text,
  decided_at timestamptz,
  constraint business_requests_state_is_known check (state in ('waiting', 'approved', 'declined')),
  constraint business_requests_decided_has_its_time check ((state = 'waiting') = (decided_at is null)),
  constraint business_requests_declined_says_why check ((state = 'declined') = (reason is not null))
);
comment on table business_requests is
  'An account''s request to be approved as a business, which it needs to send SMS. The operator decides.
Grows: a row per request, for ever.';
comment on column business_requests.reason is 'The reason for declining it, for the person who asked.';

create unique index business_requests_one_waits_per_account on business_requests (account_id) where state = 'waiting';
comment on index business_requests_one_waits_per_account is 'Allows one waiting request per account.';

create index business_requests_of_an_account on business_requests (account_id, id);
comment on index business_requests_of_an_account is 'Serves the newest request of one account.';

create index business_requests_by_state on business_requests (state, id);
comment on index business_requests_by_state is 'Serves the desk''s list of requests of one state.';

create index business_requests_by_folded_parts on business_requests
  using gin (search_parts(' ' || fold_letters(name)));
comment on index business_requests_by_folded_parts is 'Serves the desk''s search with a part of a business''s name.';

grant select, insert, update on business_requests to makola_app;

create table request_log (
  id uuid not null,
  key_id uuid not null,
  called_at timestamptz not null,
  method text not null,
  path text not null,
  status smallint not null,
  milliseconds integer not null,
  request_id text not null,
  address inet,
  reason text,
  order_references text[],
  order_id uuid,
  request json,
  response json,
  constraint request_log_once_per_call primary key (key_id, id)
);
comment on table request_log is
  'A call with a key, for the key''s owner. Rows are written in batches after the answers; nothing depends on a row. Bodies
hold only fields that the schemas know and do not mark as sensitive.
Grows: a row per call; a timer removes old ones.';
comment on column request_log.key_id is 'No foreign key: its check would lock the row of a key that is in use for purchases.';
comment on column request_log.path is
  'The pattern of the path, such as /orders/:reference. The values in it are a part of `request`.';
comment on column request_log.reason is 'The refusal''s X-Error-Reason.';
comment on column request_log.order_references is 'The references of the orders in the call.';
comment on column request_log.order_id is 'The id of the order in the answer, if there is one.';

create index request_log_by_path on request_log (key_id, path, id);
comment on index request_log_by_path is 'Serves a key''s calls of one path, newest first.';

create index request_log_refused on request_log (key_id, id) where status >= 400;
comment on index request_log_refused is 'Serves a key''s refused calls, newest first.';

create index request_log_by_request_id on request_log (key_id, request_id, id);
comment on index request_log_by_request_id is 'Serves the look-up of a key''s call by its X-Request-Id, which callers may use again.';

create index request_log_by_reference on request_log using gin (order_references) where order_references is not null;
comment on index request_log_by_reference is 'Serves the calls that contain the reference of one order.';

create index request_log_by_time on request_log using brin (called_at) with (pages_per_range = 32);
comment on index request_log_by_time is
  'Serves the purge of the oldest rows. Old rows are next to each other, so a BRIN index of a few bytes per page is enough.';

grant select, insert, delete on request_log to makola_app;
