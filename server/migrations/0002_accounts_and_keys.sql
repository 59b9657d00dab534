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
create unique index accounts_one_per_email on accounts (lower(email));

-- A key is stored as the SHA-256 of its text; `hint` is its last four characters, for its owner's eyes.
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
  constraint api_keys_digest_is_unique unique (digest),
  constraint api_keys_type_is_known check (type in ('standard', 'sms', 'commission')),
  constraint api_keys_status_is_known check (status in ('pending', 'active', 'revoked')),
  constraint api_keys_revoked_has_its_time check ((status = 'revoked') = (revoked_at is not null))
);
create unique index api_keys_one_live_per_account_and_type on api_keys (account_id, type) where status <> 'revoked';

grant select, insert, update on accounts, api_keys to makola_app;
