create table networks (
  product text not null,
  name text not null,
  position integer not null,
  primary key (product, name)
);
comment on table networks is
  'A network or biller that a product is sold for, with its place in lists. Routes and commission rates are set per product
and network. Texts to a number of unknown network are sent on the routes of `any`.
Grows: with a release only.';
insert into networks (product, name, position) values
  ('data', 'MTN', 1), ('data', 'Telecel', 2), ('data', 'AT-iShare', 3), ('data', 'AT-BigTime', 4),
  ('airtime', 'MTN', 1), ('airtime', 'Telecel', 2), ('airtime', 'AT', 3),
  ('utilities', 'ecg', 1), ('utilities', 'ghana_water', 2), ('utilities', 'dstv', 3), ('utilities', 'gotv', 4),
  ('utilities', 'startimes', 5),
  ('sms', 'MTN', 1), ('sms', 'Telecel', 2), ('sms', 'AT', 3), ('sms', 'any', 4);
grant select, insert, update, delete on networks to makola_app;

create table number_prefixes (
  prefix text not null,
  network text not null,
  primary key (prefix, network),
  constraint number_prefixes_have_three_digits check (prefix ~ '^0[0-9]{2}$')
);
comment on table number_prefixes is
  'A prefix of phone numbers that belongs to a network. At first those of the contract; the operator may edit them.
Grows: as the operator adds prefixes.';
insert into number_prefixes (prefix, network)
select prefix, network
from (values
  ('MTN', array['024', '025', '053', '054', '055', '059']),
  ('Telecel', array['020', '050']),
  ('AT-iShare', array['026', '027', '056', '057']),
  ('AT-BigTime', array['026', '027', '056', '057']),
  ('AT', array['026', '027', '056', '057'])
) as seed (network, prefixes), unnest(prefixes) as prefix;
grant select, insert, update, delete on number_prefixes to makola_app;

create table ported_numbers (
  number text primary key,
  network text not null,
  recorded_at timestamptz not null default now(),
  constraint ported_numbers_have_ten_digits check (number ~ '^0[0-9]{9}$')
);
comment on table ported_numbers is
  'A number that was ported to another network; it overrides the prefix.
Grows: as the operator records numbers.';
grant select, insert, update, delete on ported_numbers to makola_app;
