create table billers (
  key text primary key,
  label text not null,
  account_label text not null,
  requires_phone boolean not null,
  lookup_by text not null,
  links_phone_to_account boolean not null,
  has_amount_due boolean not null,
  position integer not null,
  constraint billers_are_looked_up_by_phone_or_account check (lookup_by in ('phone', 'account'))
);
comment on table billers is
  'The fields that a biller needs, as the catalogue shows them (contract, Biller). A biller''s key is also the network of its
routes.
Grows: with a release only.';
insert into billers (key, label, account_label, requires_phone, lookup_by, links_phone_to_account, has_amount_due, position) values
  ('ecg', 'ECG prepaid electricity', 'Meter number', true, 'phone', true, false, 1),
  ('ghana_water', 'Ghana Water', 'Account or meter number', true, 'account', false, true, 2),
  ('dstv', 'DSTV', 'Smartcard number', false, 'account', false, true, 3),
  ('gotv', 'GOtv', 'Smartcard (IUC) number', false, 'account', false, true, 4),
  ('startimes', 'StarTimes', 'Smartcard number', false, 'account', false, true, 5);
grant select on billers to makola_app;

create table looked_up_accounts (
  account_id uuid not null,
  biller text not null references billers (key),
  account_number text not null,
  account_name text not null,
  looked_up_at timestamptz not null default now(),
  primary key (account_id, biller, account_number)
);
comment on table looked_up_accounts is
  'The holder''s name in the biller''s last answer to a look-up of this reseller. Per account, because a name that one
reseller looked up must not appear in another''s orders.
Grows: a row per reseller and account number; older rows are removed.';
grant select, insert, update, delete on looked_up_accounts to makola_app;
