-- Airtime and utility bills: their networks and billers, references per account, and the indexes they live by.

insert into networks (product, name, position) values
  ('airtime', 'MTN', 1), ('airtime', 'Telecel', 2), ('airtime', 'AT', 3),
  ('utilities', 'ecg', 1), ('utilities', 'ghana_water', 2), ('utilities', 'dstv', 3), ('utilities', 'gotv', 4), ('utilities', 'startimes', 5);

-- References that are an account's own, per service: the name space beside `order_references`. Read and
-- written under the lock of the wallet that pays, so nobody waits here for anybody.
create table account_references (
  account_id uuid not null,
  service text not null,
  reference text collate "C" not null,
  order_id uuid not null,
  kind text not null,
  fingerprint bytea not null,
  primary key (account_id, service, reference)
);
create unique index account_references_one_per_order on account_references (order_id);

-- What a biller asks for, as the catalogue shows it (contract, Biller). A biller's key is also the network of its routes.
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
insert into billers (key, label, account_label, requires_phone, lookup_by, links_phone_to_account, has_amount_due, position) values
  ('ecg', 'ECG prepaid electricity', 'Meter number', true, 'phone', true, false, 1),
  ('ghana_water', 'Ghana Water', 'Account or meter number', true, 'account', false, true, 2),
  ('dstv', 'DSTV', 'Smartcard number', false, 'account', false, true, 3),
  ('gotv', 'GOtv', 'Smartcard (IUC) number', false, 'account', false, true, 4),
  ('startimes', 'StarTimes', 'Smartcard number', false, 'account', false, true, 5);

-- The holder's name as a biller last answered it to this reseller's own look-up. Per account: what one
-- reseller looked up must not show in another's orders.
create table looked_up_accounts (
  account_id uuid not null,
  biller text not null references billers (key),
  account_number text not null,
  account_name text not null,
  looked_up_at timestamptz not null default now(),
  primary key (account_id, biller, account_number)
);

-- A bill's reference is made by us and stands in no table of references.
create unique index orders_one_per_bill_reference on orders (reference) where kind = 'utilities';

-- The duplicate window: an account's latest payments to one account number.
create index orders_of_a_bill_by_age on orders (account_id, recipient, created_at) where kind = 'utilities';

-- GET /airtime/orders: an account's newest, however many data orders stand between them.
create index orders_of_airtime_by_age on orders (account_id, created_at) where kind = 'airtime';

grant select, insert on account_references to makola_app;
grant select on billers to makola_app;
grant select, insert, update, delete on looked_up_accounts to makola_app;
