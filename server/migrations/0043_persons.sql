-- Persons who sign in with a browser: resellers' people and the operator's staff. The library better-auth reads and
-- writes the first five tables under these names; its secrets (TOTP, back-up codes) are encrypted by it, passwords
-- are hashed with scrypt, and the identifiers of links are hashed. Only new tables: nothing that sells is locked.
create table persons (
  id uuid primary key,
  name text not null,
  -- In small letters.
  email text not null,
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint persons_one_per_email unique (email)
);

-- The cookie holds the token and a signature, which a reader of this table cannot make.
create table person_sessions (
  id uuid primary key,
  person_id uuid not null references persons (id) on delete cascade,
  token text not null,
  ip_address text,
  user_agent text,
  -- When the person last gave the password or a code in this session.
  confirmed_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint person_sessions_token_is_unique unique (token)
);
create index person_sessions_of_a_person on person_sessions (person_id);
create index person_sessions_by_end on person_sessions (expires_at);

create table person_credentials (
  id uuid primary key,
  person_id uuid not null references persons (id) on delete cascade,
  provider text not null,
  subject text not null,
  password text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint person_credentials_one_per_provider unique (person_id, provider)
);

create table person_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index person_verifications_by_identifier on person_verifications (identifier);
create index person_verifications_by_end on person_verifications (expires_at);

create table person_two_factors (
  id uuid primary key,
  person_id uuid not null references persons (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  constraint person_two_factors_one_per_person unique (person_id)
);

-- Who acts for which account. A person acts for one account, so that nobody has to choose one after signing in.
create table members (
  person_id uuid not null references persons (id),
  account_id uuid not null references accounts (id),
  role text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint members_one_account_per_person primary key (person_id),
  constraint members_role_is_known check (role in ('owner', 'buyer', 'viewer'))
);
create index members_of_an_account on members (account_id);

create table staff (
  person_id uuid not null references persons (id),
  role text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint staff_once_per_person primary key (person_id),
  constraint staff_role_is_known check (role in ('owner', 'finance', 'support', 'catalogue', 'auditor'))
);

grant select, insert, update on persons to makola_app;
grant select, insert, update, delete
  on person_sessions, person_credentials, person_verifications, person_two_factors, members, staff to makola_app;
