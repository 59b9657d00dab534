-- Daily sums for reports, kept by the worker. Nothing here is read before the worker has added it up, and the columns
-- that older tables get have no value in older rows, so each statement holds its table's lock for an instant only.

-- The role that the price followed; null: an order from before this was kept.
alter table orders add column role text;

-- Which transaction wrote the move, so that it is known whether a snapshot of the database saw it. Null: an older move.
alter table order_events add column transaction_id xid8;
alter table order_events alter column transaction_id set default pg_current_xact_id();

-- Sums of one day in Accra, in three slices that each hold all of it: `goods` by product, network, package and role;
-- `account` by account; `supplier` by supplier. Whole pesewas, in `credits_…` whole SMS credits, the rest are numbers of
-- orders. `wait_0` to `wait_29` count the delivered orders by how long that took. Every column is a sum, so that rows of
-- several days and keys add up to a report.
create table daily_figures (
  slice text not null,
  day date not null,
  product text not null default '',
  network text not null default '',
  package text not null default '',
  role text not null default '',
  supplier text not null default '',
  account_id uuid not null default '00000000-0000-0000-0000-000000000000',
  orders bigint not null default 0,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  sales bigint not null default 0,
  refunds bigint not null default 0,
  adjustments bigint not null default 0,
  commission_paid bigint not null default 0,
  commission_earned bigint not null default 0,
  cost bigint not null default 0,
  cost_estimated bigint not null default 0,
  cost_unknown bigint not null default 0,
  credits_spent bigint not null default 0,
  credits_returned bigint not null default 0,
  wait_0 integer not null default 0, wait_1 integer not null default 0, wait_2 integer not null default 0,
  wait_3 integer not null default 0, wait_4 integer not null default 0, wait_5 integer not null default 0,
  wait_6 integer not null default 0, wait_7 integer not null default 0, wait_8 integer not null default 0,
  wait_9 integer not null default 0, wait_10 integer not null default 0, wait_11 integer not null default 0,
  wait_12 integer not null default 0, wait_13 integer not null default 0, wait_14 integer not null default 0,
  wait_15 integer not null default 0, wait_16 integer not null default 0, wait_17 integer not null default 0,
  wait_18 integer not null default 0, wait_19 integer not null default 0, wait_20 integer not null default 0,
  wait_21 integer not null default 0, wait_22 integer not null default 0, wait_23 integer not null default 0,
  wait_24 integer not null default 0, wait_25 integer not null default 0, wait_26 integer not null default 0,
  wait_27 integer not null default 0, wait_28 integer not null default 0, wait_29 integer not null default 0,
  constraint daily_figures_one_row_per_key primary key (slice, day, product, network, package, role, supplier, account_id),
  constraint daily_figures_slice_is_known check (slice in ('goods', 'account', 'supplier'))
) with (fillfactor = 75);

-- What went into and out of all wallets of a purse on a day, in the purse's unit.
create table daily_purses (
  day date not null,
  purse text not null,
  moved_in bigint not null default 0,
  moved_out bigint not null default 0,
  constraint daily_purses_one_row_per_day_and_purse primary key (day, purse)
) with (fillfactor = 75);

-- How far the sums go. They hold what `counted` sees, of the days from `first_day` on; older days are added one by one,
-- the newest first, down to `oldest_day`. What `counted` does not see was written after `searched_from`. A database that
-- was restored on another server has rows whose transactions are of that server's past or future: those up to
-- `restored_until` were counted when this began.
create table report_progress (
  only_row boolean primary key default true,
  counted pg_snapshot not null,
  counted_at timestamptz not null,
  first_day date not null,
  oldest_day date not null,
  searched_from timestamptz not null,
  restored_until timestamptz not null,
  mark_xmax xid8 not null,
  mark_at timestamptz not null,
  constraint report_progress_has_one_row check (only_row)
);

grant select, insert, update, delete on daily_figures, daily_purses, report_progress to makola_app;
