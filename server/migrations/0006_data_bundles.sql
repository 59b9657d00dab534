create table networks (
  product text not null,
  name text not null,
  position integer not null,
  primary key (product, name)
);
insert into networks (product, name, position) values
  ('data', 'MTN', 1), ('data', 'Telecel', 2), ('data', 'AT-iShare', 3), ('data', 'AT-BigTime', 4);

-- Which number prefixes belong to which network; the operator may edit it. Seeded from the contract.
create table number_prefixes (
  prefix text not null,
  network text not null,
  primary key (prefix, network),
  constraint number_prefixes_have_three_digits check (prefix ~ '^0[0-9]{2}$')
);

insert into number_prefixes (prefix, network)
select prefix, network
from (values
  ('MTN', array['024', '025', '053', '054', '055', '059']),
  ('Telecel', array['020', '050']),
  ('AT-iShare', array['026', '027', '056', '057']),
  ('AT-BigTime', array['026', '027', '056', '057']),
  ('AT', array['026', '027', '056', '057'])
) as seed (network, prefixes), unnest(prefixes) as prefix;

-- Numbers known to have been carried to another network; they override the prefix.
create table ported_numbers (
  number text primary key,
  network text not null,
  recorded_at timestamptz not null default now(),
  constraint ported_numbers_have_ten_digits check (number ~ '^0[0-9]{9}$')
);

-- Prices in whole pesewas per role. `stock` null means unlimited.
create table packages (
  id uuid primary key,
  network text not null,
  volume_gb numeric(9, 3) not null,
  price_customer bigint not null,
  price_agent bigint not null,
  price_dealer bigint not null,
  is_available boolean not null default true,
  stock bigint,
  constraint packages_one_per_network_and_volume unique (network, volume_gb),
  constraint packages_volume_is_positive check (volume_gb > 0),
  constraint packages_prices_are_positive check (price_customer > 0 and price_agent > 0 and price_dealer > 0),
  constraint packages_stock_not_negative check (stock >= 0)
);

-- What a supplier charges for a package, and what it calls it.
create table package_offers (
  package_id uuid not null references packages (id),
  supplier text not null references suppliers (name),
  code text not null,
  cost bigint not null,
  primary key (package_id, supplier),
  constraint package_offers_cost_is_positive check (cost > 0)
);

grant select, insert, update, delete on networks, number_prefixes, ported_numbers, packages, package_offers to makola_app;
