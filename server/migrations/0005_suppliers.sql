-- A supplier fulfils orders. `adapter` names the code that speaks its format; credentials are sealed.
create table suppliers (
  name text primary key,
  adapter text not null,
  is_enabled boolean not null default true,
  base_url text,
  settings jsonb not null default '{}',
  credentials text,
  slots integer not null default 32,
  requests_per_second integer,
  float_pesewas bigint,
  float_read_at timestamptz,
  constraint suppliers_slots_are_sensible check (slots between 1 and 1000),
  constraint suppliers_rate_is_positive check (requests_per_second is null or requests_per_second > 0)
);

-- A route is supplier + product + network; the lowest priority number is asked first.
create table routes (
  supplier text not null references suppliers (name),
  product text not null,
  network text not null,
  priority integer not null default 100,
  state text not null default 'open',
  paused_reason text,
  paused_until timestamptz,
  paused_at timestamptz,
  primary key (supplier, product, network),
  constraint routes_state_is_known check (state in ('open', 'paused')),
  constraint routes_paused_has_a_reason check ((state = 'paused') = (paused_reason is not null))
);

-- Orders that a supplier lately refused for our sake (float, credentials, account). Several that agree pause
-- the route; its next opening forgets them.
create table route_refusals (
  supplier text not null,
  product text not null,
  network text not null,
  order_id uuid not null,
  cause text not null,
  refused_at timestamptz not null default clock_timestamp(),
  primary key (supplier, product, network, order_id),
  foreign key (supplier, product, network) references routes (supplier, product, network) on delete cascade
);

grant select, insert, update, delete on suppliers, routes, route_refusals to makola_app;
