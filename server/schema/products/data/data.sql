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
comment on table packages is
  'A data bundle on sale, with its prices in whole pesewas per role.
Grows: as the operator adds packages.';
comment on column packages.stock is 'The number left to sell; null: unlimited.';
grant select, insert, update, delete on packages to makola_app;

create table package_offers (
  package_id uuid not null references packages (id),
  supplier text not null references suppliers (name),
  code text not null,
  cost bigint not null,
  closed_at timestamptz,
  closed_because text,
  primary key (package_id, supplier),
  constraint package_offers_cost_is_positive check (cost > 0)
);
comment on table package_offers is
  'A supplier''s price of a package in pesewas, and its code for the package.
Grows: at most one row per package and supplier.';
comment on column package_offers.closed_at is
  'The time since when no order is sent there for this package, because the supplier refused our own request (a wrong code,
for example). Null: the offer is open. A person corrects and reopens it.';
grant select, insert, update, delete on package_offers to makola_app;
