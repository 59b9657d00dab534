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
  credentials_set_at jsonb not null default '{}',
  constraint suppliers_slots_are_sensible check (slots between 1 and 1000),
  constraint suppliers_rate_is_positive check (requests_per_second is null or requests_per_second > 0)
);
comment on table suppliers is
  'A supplier that fulfils orders. `adapter` names the code that speaks its format; credentials are sealed.
Grows: one row per supplier.';
comment on column suppliers.credentials_set_at is 'The time at which each credential was set, by its name.';
grant select, insert, update, delete on suppliers to makola_app;

create table routes (
  supplier text not null references suppliers (name),
  product text not null,
  network text not null,
  priority integer not null default 100,
  state text not null default 'open',
  paused_reason text,
  paused_until timestamptz,
  paused_at timestamptz,
  probed_at timestamptz,
  probe_said text,
  primary key (supplier, product, network),
  constraint routes_state_is_known check (state in ('open', 'paused')),
  constraint routes_paused_has_a_reason check ((state = 'paused') = (paused_reason is not null))
);
comment on table routes is
  'A supplier for a product on a network. The lowest priority number comes first.
Grows: one row per supplier, product and network.';
comment on column routes.probe_said is 'The result of the last probe of a paused route''s supplier, at `probed_at`.';
grant select, insert, update, delete on routes to makola_app;

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
comment on table route_refusals is
  'An order that a supplier refused lately because of us (float, credentials, account). Several such orders pause the route;
opening the route deletes them, and the next refusal those that are older than a day.
Grows: some rows per route that fails.';
grant select, insert, update, delete on route_refusals to makola_app;

create table supplier_float_reads (
  supplier text not null,
  read_at timestamptz not null default clock_timestamp(),
  float_pesewas bigint not null,
  primary key (supplier, read_at)
);
comment on table supplier_float_reads is
  'A read of our float at a supplier, as the supplier reported it. Workers read floats anyway; at most one read per interval
is stored.
Grows: a row per supplier and interval, for ever.';
grant select, insert on supplier_float_reads to makola_app;

create table supplier_float_movements (
  id uuid primary key,
  supplier text not null references suppliers (name),
  amount bigint not null,
  note text not null,
  moved_at timestamptz not null,
  noted_by text not null,
  noted_at timestamptz not null default clock_timestamp(),
  constraint supplier_float_movements_move_something check (amount <> 0)
);
comment on table supplier_float_movements is
  'Money that the operator put in at a supplier (above 0) or took out (below 0). A wrong row is corrected by a further one.
Grows: a row per movement, for ever.';

create index supplier_float_movements_by_time on supplier_float_movements (supplier, moved_at);
comment on index supplier_float_movements_by_time is
  'Serves the history of a supplier''s float, and its comparison with the costs.';

create trigger supplier_float_movements_are_append_only before update or delete or truncate on supplier_float_movements
  for each statement execute function refuse_to_change_history();
grant select, insert on supplier_float_movements to makola_app;

create table proposed_supplier_credentials (
  name text primary key,
  id uuid not null,
  credentials text
);
comment on table proposed_supplier_credentials is
  'Credentials of a supplier that wait for a second person, sealed for the supplier''s row. Null: its credentials are deleted,
because it moves to another host.
Grows: at most one row per supplier; removed when the proposal is confirmed, and within hours when it is refused or expires.';
comment on column proposed_supplier_credentials.id is 'The proposal that the credentials wait for has it as `secretId`.';
grant select, insert, update, delete on proposed_supplier_credentials to makola_app;
