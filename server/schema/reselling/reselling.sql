create table own_prices (
  price_no bigint generated always as identity primary key,
  account_id uuid not null references accounts (id),
  product text not null,
  item text collate "C" not null,
  rule text not null,
  value bigint not null,
  valid_from timestamptz not null default clock_timestamp(),
  valid_until timestamptz,
  constraint own_prices_rule_is_known check (rule in ('price', 'add', 'percent')),
  constraint own_prices_prices_are_of_one_item check (rule <> 'price' or item <> ''),
  constraint own_prices_are_not_below_zero check (value >= 0)
);
comment on table own_prices is
  'What a reseller asks its customers for, as its own note: the ledger and the orders know nothing of it. A rule ends when another
takes its place, so that the profit of an older order does not change.
Grows: a row per price that a reseller changes, for ever.';
comment on column own_prices.item is
  'The network or biller and the variety, such as `MTN 5GB`. Empty: the rule for all of the product that has none of its own.';
comment on column own_prices.rule is
  '`price`: pesewas for one; `add`: pesewas on top of the cost of one; `percent`: hundredths of a percent on top of the cost.';
comment on column own_prices.valid_until is 'Null: in force.';

create unique index own_prices_in_force_once on own_prices (account_id, product, item) where valid_until is null;
comment on index own_prices_in_force_once is 'Allows one rule in force per item; serves the price list of an account.';

create index own_prices_of_an_item on own_prices (account_id, product, item, valid_from);
comment on index own_prices_of_an_item is 'Serves the rule that was in force when an order was placed.';

grant select, insert on own_prices to makola_app;
grant update (valid_until) on own_prices to makola_app;

create table customers (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  note text not null default '',
  is_favourite boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  constraint customers_of_one_account unique (account_id, id)
);
comment on table customers is
  'Somebody a reseller sells to, as the reseller noted it.
Grows: as many as resellers note, at most 5,000 per account; the reseller deletes them.';

grant select, insert, delete on customers to makola_app;
grant update (name, note, is_favourite) on customers to makola_app;

create table customer_numbers (
  account_id uuid not null,
  number text not null,
  customer_id uuid not null,
  place smallint not null,
  constraint customer_numbers_belong_to_one_customer primary key (account_id, number),
  constraint customer_numbers_of_the_account foreign key (account_id, customer_id)
    references customers (account_id, id) on delete cascade
);
comment on table customer_numbers is
  'A phone number, meter or smartcard of a customer. A number belongs to one customer of an account.
Grows: some per customer.';
comment on column customer_numbers.number is 'A phone number as it is dialled in Ghana, 0241234567.';
comment on column customer_numbers.place is 'The order in which the reseller wrote the numbers.';

create index customer_numbers_of_a_customer on customer_numbers (customer_id);
comment on index customer_numbers_of_a_customer is 'Serves the numbers of one customer, and their deletion with it.';

create index customer_numbers_by_number on customer_numbers (number);
comment on index customer_numbers_by_number is 'Serves what is kept about one person.';

grant select, insert, delete on customer_numbers to makola_app;

create table shops (
  account_id uuid primary key references accounts (id),
  name text not null,
  phone text,
  logo bytea,
  logo_type text,
  constraint shops_logo_has_a_type check ((logo is null) = (logo_type is null)),
  constraint shops_logo_is_small check (octet_length(logo) <= 131072)
);
comment on table shops is
  'How a reseller shows itself to its customers, on price lists and receipts.
Grows: at most a row per account.';
comment on column shops.phone is 'Shown to customers. Null: none is shown.';

grant select, insert, delete, update on shops to makola_app;

create table sale_receipts (
  token text primary key,
  order_id uuid not null,
  account_id uuid not null references accounts (id),
  shows_number boolean not null,
  made_by text not null,
  made_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);
comment on table sale_receipts is
  'A link by which anybody sees how an order stands. No foreign key to the order, which would hold back the removal of an old
partition of `orders`.
Grows: a row per order whose reseller sent a receipt, for ever.';
comment on column sale_receipts.token is
  'The last part of the link, 128 random bits. Stored as it is, so that the reseller can send the link again: it shows less than
the order beside it.';
comment on column sale_receipts.shows_number is 'Whether the page shows the recipient in full.';
comment on column sale_receipts.revoked_at is 'Null: the link works.';

create unique index sale_receipts_working_once on sale_receipts (order_id) where revoked_at is null;
comment on index sale_receipts_working_once is 'Allows one working link per order; serves the link of an order.';

grant select, insert on sale_receipts to makola_app;
grant update (revoked_at) on sale_receipts to makola_app;
