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
comment on table daily_figures is
  'Sums of one day in Accra, in three slices that each hold the whole day: `goods` by product, network, package and role;
`account` by account; `supplier` by supplier. Whole pesewas, in `credits_…` whole SMS credits; the other columns are numbers
of orders. Every column is a sum, so that rows of several days and keys add up to a report. Written by the worker.
Grows: per day some hundred rows, and one per account that bought, for ever.';
comment on column daily_figures.wait_0 is
  '`wait_0` to `wait_29` count the delivered orders by the time that the delivery took.';
grant select, insert, update, delete on daily_figures to makola_app;

create table daily_purses (
  day date not null,
  purse text not null,
  moved_in bigint not null default 0,
  moved_out bigint not null default 0,
  constraint daily_purses_one_row_per_day_and_purse primary key (day, purse)
) with (fillfactor = 75);
comment on table daily_purses is
  'The money or credits that went into and out of all wallets of a purse on a day, in the purse''s unit.
Grows: three rows per day, for ever.';
grant select, insert, update, delete on daily_purses to makola_app;

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
comment on table report_progress is
  'The progress of the daily sums. They include everything that the snapshot `counted` sees, of the days from `first_day` on.
Older days are added one by one, the newest first, down to `oldest_day`. Everything that `counted` does not see was written
after `searched_from`.
Grows: one row for ever.';
comment on column report_progress.restored_until is
  'In a database that was restored on another server, transaction numbers of older rows mean nothing. Rows up to this time
were counted when the sums began.';
grant select, insert, update, delete on report_progress to makola_app;

create table supplier_hours (
  hour timestamptz not null,
  supplier text not null,
  outcome text not null,
  attempts integer not null,
  cost bigint not null,
  answer_steps jsonb not null,
  delivery_steps jsonb not null,
  constraint supplier_hours_one_row_per_key primary key (hour, supplier, outcome)
);
comment on table supplier_hours is
  'A supplier''s performance in one hour: small sums of `attempts`, written by the worker. An hour is counted again as a whole
until none of its attempts is open. Times are counts per step: `{"52": 17}` means 17 answers of the duration of step 52.
Grows: some rows per hour; removed after 35 days.';
comment on column supplier_hours.outcome is 'Empty while the supplier has not answered.';
comment on column supplier_hours.cost is
  'Pesewas: the cost of the attempts that the supplier took, as reported, else as expected.';
grant select, insert, update, delete on supplier_hours to makola_app;

create table supplier_hours_counted (
  hour timestamptz primary key,
  counted_at timestamptz not null,
  open integer not null
);
comment on table supplier_hours_counted is
  'An hour that was counted: when, and with how many open attempts.
Grows: a row per hour; removed after 35 days.';
grant select, insert, update, delete on supplier_hours_counted to makola_app;

create table report_schedules (
  id uuid primary key,
  email text not null,
  report text not null,
  grouping text not null,
  every text not null,
  hour integer not null,
  next_at timestamptz not null,
  sent_for date,
  created_at timestamptz not null default clock_timestamp(),
  constraint report_schedules_report_is_known check (report in ('sales', 'tax', 'balances', 'float')),
  constraint report_schedules_every_is_known check (every in ('day', 'week', 'month')),
  constraint report_schedules_hour_is_of_a_day check (hour between 0 and 23),
  constraint report_schedules_once unique (email, report, grouping, every)
);
comment on table report_schedules is
  'A report that one of the staff gets by e-mail after each day, week or month.
Grows: as the staff ask for reports.';
comment on column report_schedules.email is 'The person who asked for the report and gets it.';
comment on column report_schedules.sent_for is 'The last day of the newest report that was queued as a mail.';

create index report_schedules_due on report_schedules (next_at);
comment on index report_schedules_due is 'Serves the timer that queues due reports.';

grant select, insert, update, delete on report_schedules to makola_app;
