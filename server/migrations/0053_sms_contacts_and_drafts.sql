-- Lists of numbers that an account sends to. A number is personal data: it goes with its list, or by itself.
create table sms_lists (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint sms_lists_have_different_names unique (account_id, name)
);
create table sms_contacts (
  list_id uuid not null references sms_lists (id) on delete cascade,
  recipient text not null,
  name text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (list_id, recipient),
  constraint sms_contacts_are_numbers_of_ghana check (recipient ~ '^233[0-9]{9}$')
);

-- Texts that are not sent yet, as their author left them.
create table sms_drafts (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  message text not null,
  recipients text not null,
  list_ids uuid[] not null,
  sender text,
  updated_by text not null,
  updated_at timestamptz not null default clock_timestamp()
);
create index sms_drafts_of_an_account on sms_drafts (account_id, updated_at);

grant select, insert, delete on sms_lists, sms_contacts to makola_app;
grant update (name) on sms_lists, sms_contacts to makola_app;
grant select, insert, update, delete on sms_drafts to makola_app;
