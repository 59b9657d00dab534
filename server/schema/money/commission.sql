create table commission_rates (
  product text not null,
  network text not null,
  rate_basis_points integer not null,
  primary key (product, network),
  foreign key (product, network) references networks (product, name),
  constraint commission_rates_are_at_most_all check (rate_basis_points between 0 and 10000)
);
comment on table commission_rates is
  'The commission that a supplier is expected to pay for an order when it does not report it, in basis points of the amount
(100 = 1 %).
Grows: at most one row per network of a product.';
grant select, insert, update, delete on commission_rates to makola_app;

create table commission_shares (
  product text not null,
  role text not null,
  share_basis_points integer not null,
  primary key (product, role),
  constraint commission_shares_role_is_known check (role in ('customer', 'agent', 'dealer')),
  constraint commission_shares_are_at_most_all check (share_basis_points between 0 and 10000)
);
comment on table commission_shares is
  'The reseller''s part of the commission, by the role that decides prices, in basis points of the commission.
Grows: at most one row per product and role.';
grant select, insert, update, delete on commission_shares to makola_app;

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
) partition by range (order_id);
insert into partitioned_tables values ('order_commissions', 'fillfactor = 100');
comment on table order_commissions is
  'The commission of a completed order, written by the transaction that completed it. The caller''s and the platform''s parts
add up to the base exactly.
Grows: a row per completed order that earned commission, for ever, partitioned by the month of the order.';

create trigger order_commissions_are_append_only before update or delete or truncate on order_commissions
  for each statement execute function refuse_to_change_history();
grant select, insert on order_commissions to makola_app;

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
comment on table commission_moves is
  'A move of commission to its owner''s main wallet, once per external id and account.
Grows: a row per move, for ever.';

create index commission_moves_by_external_id on commission_moves (external_id) where external_id is not null;
comment on index commission_moves_by_external_id is 'Serves `makola find` with an external id.';

create index commission_moves_by_amount on commission_moves (amount, id);
comment on index commission_moves_by_amount is 'Serves `makola find` with an amount.';

create trigger commission_moves_are_append_only before update or delete or truncate on commission_moves
  for each statement execute function refuse_to_change_history();
grant select, insert on commission_moves to makola_app;
