-- How suppliers did, hour by hour: small sums of `attempts`, kept by the worker for 35 days. An hour is counted anew as a
-- whole until none of its attempts is open, so a row never has to be corrected. `outcome` is empty while nothing was heard.
-- The times are counts by step, `{"52": 17}`: 17 answers that took as long as step 52 says.
create table supplier_hours (
  hour timestamptz not null,
  supplier text not null,
  outcome text not null,
  attempts integer not null,
  -- Pesewas: what the attempts that the supplier took should cost, or cost by its own word.
  cost bigint not null,
  answer_steps jsonb not null,
  delivery_steps jsonb not null,
  constraint supplier_hours_one_row_per_key primary key (hour, supplier, outcome)
);

-- Which hours were counted, when, and how many attempts were still open then.
create table supplier_hours_counted (
  hour timestamptz primary key,
  counted_at timestamptz not null,
  open integer not null
);
grant select, insert, update, delete on supplier_hours, supplier_hours_counted to makola_app;

-- When each credential was set, by its name; a credential from before this has no moment.
alter table suppliers add column credentials_set_at jsonb not null default '{}';

-- What the last look at a paused route's supplier said, and when.
alter table routes add column probed_at timestamptz, add column probe_said text;

-- What the import of a statement found, so that the list of imports need not count lines. Null: imported before this.
alter table supplier_statements
  add column matched integer,
  add column matched_amount bigint,
  add column ours_only integer,
  add column ours_only_amount bigint,
  add column theirs_only integer,
  add column theirs_only_amount bigint,
  add column amount_differs integer,
  add column amount_differs_theirs bigint,
  add column amount_differs_ours bigint,
  add column not_billed integer,
  add column unreadable integer;
create index supplier_statements_by_time on supplier_statements (imported_at, id);

-- The list of differences is filtered: what is open, whose it is, which statement it came from.
create index reconciliation_differences_open_by_time on reconciliation_differences (found_at, id) where closed_at is null;
create index reconciliation_differences_of_a_statement on reconciliation_differences (statement_id, found_at, id);
create index reconciliation_differences_of_a_person on reconciliation_differences (assigned_to, found_at, id)
  where closed_at is null and assigned_to is not null;
create index reconciliation_differences_by_reference on reconciliation_differences (reference);
