-- Who accepted which version of the developer policy, when, and from which address. The operator's own accounts accept
-- on paper: no person then. The account's `policy_accepted_at` stays for the processes of an older release.
create table policy_acceptances (
  account_id uuid not null references accounts (id),
  version integer not null,
  -- A person of the app; no foreign key, because persons stand above accounts.
  person_id uuid,
  address inet,
  accepted_at timestamptz not null default clock_timestamp(),
  constraint policy_acceptances_once_per_version primary key (account_id, version),
  constraint policy_acceptances_version_is_positive check (version > 0)
);
insert into policy_acceptances (account_id, version, accepted_at)
  select id, 1, policy_accepted_at from accounts where policy_accepted_at is not null;
grant select, insert on policy_acceptances to makola_app;

-- From where a key may be used, as networks in CIDR notation; none: from everywhere. A default that is constant changes
-- no row, so the table is locked for a moment only.
alter table api_keys
  add column allowed_addresses text[] not null default '{}',
  add constraint api_keys_have_few_allowed_addresses check (cardinality(allowed_addresses) <= 50);

-- Persons who want to see the list of first steps no more.
create table set_up_dismissals (
  person_id uuid primary key references persons (id) on delete cascade,
  dismissed_at timestamptz not null default clock_timestamp()
);
grant select, insert on set_up_dismissals to makola_app;

-- All keys of an account, revoked ones too: their requests are listed together.
create index api_keys_of_an_account on api_keys (account_id, id);
