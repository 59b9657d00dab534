-- Commission: what a supplier pays us, what of it a reseller gets, and what was earned.

-- What we expect a supplier to pay for an order when it does not say so itself, in basis points of the amount (100 = 1 %).
create table commission_rates (
  product text not null,
  network text not null,
  rate_basis_points integer not null,
  primary key (product, network),
  foreign key (product, network) references networks (product, name),
  constraint commission_rates_are_at_most_all check (rate_basis_points between 0 and 10000)
);

-- The reseller's part of the commission by the role that prices follow, in basis points of the commission.
create table commission_shares (
  product text not null,
  role text not null,
  share_basis_points integer not null,
  primary key (product, role),
  constraint commission_shares_role_is_known check (role in ('customer', 'agent', 'dealer')),
  constraint commission_shares_are_at_most_all check (share_basis_points between 0 and 10000)
);

-- What a completed order earned, written by the transaction that completed it. Append-only. Together
-- the caller's and the platform's part are the base, to the pesewa.
create table order_commissions (
  order_id uuid primary key,
  account_id uuid not null,
  base bigint not null,
  caller bigint not null,
  platform bigint not null,
  source text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint order_commissions_add_up check (caller + platform = base),
  constraint order_commissions_not_negative check (caller >= 0 and platform >= 0),
  constraint order_commissions_source_is_known check (source in ('reported', 'rate'))
);
create trigger order_commissions_are_append_only before update or delete or truncate on order_commissions
  for each statement execute function refuse_to_change_history();

-- Commission that its owner moved to the main wallet, once per external id and account. Append-only.
create table commission_moves (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  external_id text,
  amount bigint not null,
  actor text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint commission_moves_once_per_external_id unique (account_id, external_id),
  constraint commission_moves_amount_is_positive check (amount > 0)
);
create trigger commission_moves_are_append_only before update or delete or truncate on commission_moves
  for each statement execute function refuse_to_change_history();

grant select, insert, update, delete on commission_rates, commission_shares to makola_app;
grant select, insert on order_commissions, commission_moves to makola_app;
