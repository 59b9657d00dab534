-- Suppliers' statements as they were imported: each file once per supplier, known by the SHA-256 of its bytes.
create table supplier_statements (
  id uuid primary key,
  supplier text not null,
  file_hash bytea not null,
  file_name text not null,
  line_count integer not null,
  -- The time for which our deliveries were looked for in it; null when it had no lines to tell.
  covers_from timestamptz,
  covers_to timestamptz,
  imported_by text not null,
  imported_at timestamptz not null default clock_timestamp(),
  constraint supplier_statements_once_per_file unique (supplier, file_hash)
);

-- Each line with what it came to. The key onto the statement is checked at the end: lines are written while the file
-- is still being read.
create table statement_lines (
  statement_id uuid not null references supplier_statements (id) deferrable initially deferred,
  line_no integer not null,
  reference text,
  amount bigint,
  commission bigint,
  at timestamptz,
  finding text not null,
  why text,
  attempt_id uuid,
  primary key (statement_id, line_no),
  constraint statement_lines_finding_is_known
    check (finding in ('matched', 'theirs_only', 'amount_differs', 'not_billed', 'unreadable'))
);
create index statement_lines_of_an_attempt on statement_lines (attempt_id) where attempt_id is not null;

-- What a statement and our books say differently, until it is explained: by a later statement, or by a person.
-- Without a line it is ours only. `nth` tells lines apart that are the same letter by letter.
create table reconciliation_differences (
  id uuid primary key,
  supplier text not null,
  kind text not null,
  why text,
  statement_id uuid not null references supplier_statements (id),
  line_no integer,
  reference text not null,
  nth integer not null default 1,
  at timestamptz,
  attempt_id uuid,
  -- Pesewas: what the line asks, and what we think it should be.
  amount_theirs bigint,
  amount_ours bigint,
  found_at timestamptz not null default clock_timestamp(),
  assigned_to text,
  closed_at timestamptz,
  closed_by text,
  close_reason text,
  constraint reconciliation_differences_kind_is_known check (kind in ('ours_only', 'theirs_only', 'amount_differs')),
  constraint reconciliation_differences_closed_have_a_reason
    check ((closed_at is null) = (closed_by is null) and (closed_at is null) = (close_reason is null))
);
create unique index reconciliation_differences_ours_only_once on reconciliation_differences (attempt_id) where line_no is null;
create unique index reconciliation_differences_once_per_line
  on reconciliation_differences (supplier, reference, at, amount_theirs, nth) nulls not distinct where line_no is not null;
create index reconciliation_differences_by_time on reconciliation_differences (found_at, id);
create index reconciliation_differences_open on reconciliation_differences (supplier, attempt_id) where closed_at is null;

grant select, insert on supplier_statements, statement_lines, reconciliation_differences to makola_app;
grant update (finding, why) on statement_lines to makola_app;
grant update (kind, why, assigned_to, closed_at, closed_by, close_reason) on reconciliation_differences to makola_app;
