-- What a unit costs us where no supplier reports it: a voucher of a batch or a type, a registration, a segment at a link, and
-- the fee of a payment gateway. Only added to: the newest row that is valid at a moment counts, so the table is its own history.
create table unit_costs (
  cost_no bigint generated always as identity primary key,
  product text not null,
  key text not null,
  -- Pesewas for each unit; parts of a pesewa are usual for SMS.
  pesewas numeric(14, 4) not null,
  -- Of the amount that a payer pays through a gateway.
  percent numeric(7, 4) not null default 0,
  valid_from timestamptz not null,
  note text,
  actor text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint unit_costs_are_not_below_zero check (pesewas >= 0 and percent >= 0 and percent <= 100)
);
create index unit_costs_by_age on unit_costs (product, key, valid_from desc, cost_no desc);
grant select, insert on unit_costs to makola_app;
create trigger unit_costs_are_append_only before update or delete or truncate on unit_costs
  for each statement execute function refuse_to_change_history();

-- The first days from which a changed cost makes the worker count costs anew.
create table cost_recounts (since date primary key);
grant select, insert, update, delete on cost_recounts to makola_app;
