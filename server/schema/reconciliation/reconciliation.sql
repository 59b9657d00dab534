create table supplier_statements (
  id uuid primary key,
  supplier text not null,
  file_hash bytea not null,
  file_name text not null,
  line_count integer not null,
  covers_from timestamptz,
  covers_to timestamptz,
  imported_by text not null,
  imported_at timestamptz not null default clock_timestamp(),
  matched integer,
  matched_amount bigint,
  ours_only integer,
  ours_only_amount bigint,
  theirs_only integer,
  theirs_only_amount bigint,
  amount_differs integer,
  amount_differs_theirs bigint,
  amount_differs_ours bigint,
  not_billed integer,
  unreadable integer,
  constraint supplier_statements_once_per_file unique (supplier, file_hash)
);
comment on table supplier_statements is
  'An imported statement of a supplier, with the results of the import. Each file is imported once per supplier, recognised by
the SHA-256 of its bytes.
Grows: a row per imported file, for ever.';
comment on column supplier_statements.covers_from is
  'The beginning of the period whose deliveries were looked for in the statement, until `covers_to`. Null: no line shows the
period.';
comment on column supplier_statements.matched is
  'The results of the import, in this column and the following ones, so that the list of imports need not count lines.';

create index supplier_statements_by_time on supplier_statements (imported_at, id);
comment on index supplier_statements_by_time is 'Serves the list of imports, newest first.';

grant select, insert on supplier_statements to makola_app;

create table statement_lines (
  statement_id uuid not null references supplier_statements (id) deferrable initially deferred,
  line_no integer not null,
  reference text,
  amount bigint,
  commission bigint,
  at timestamptz,
  finding text not null,
  why text,
  order_id uuid,
  attempt_no integer,
  primary key (statement_id, line_no),
  constraint statement_lines_finding_is_known
    check (finding in ('matched', 'theirs_only', 'amount_differs', 'not_billed', 'unreadable'))
);
comment on table statement_lines is
  'A line of a statement with the result of its comparison. The foreign key to the statement is checked at the end of the
transaction, because lines are written while the file is still being read.
Grows: a row per line, for ever.';

create index statement_lines_of_an_attempt on statement_lines (order_id, attempt_no) where order_id is not null;
comment on index statement_lines_of_an_attempt is 'Serves the statement lines that were matched to an attempt.';

grant select, insert on statement_lines to makola_app;
grant update (finding, why) on statement_lines to makola_app;

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
  order_id uuid,
  attempt_no integer,
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
comment on table reconciliation_differences is
  'A difference between a statement and our books, until a later statement or a person explains it. Without a line: a delivery
of ours that no statement bills.
Grows: a row per difference, for ever.';
comment on column reconciliation_differences.nth is 'Numbers lines that are equal letter by letter.';
comment on column reconciliation_differences.amount_theirs is 'The billed amount in pesewas.';
comment on column reconciliation_differences.amount_ours is 'The amount by our books, in pesewas.';

create unique index reconciliation_differences_ours_only_once on reconciliation_differences (order_id, attempt_no)
  where line_no is null;
comment on index reconciliation_differences_ours_only_once is 'Allows one row per delivery that no statement bills.';

create unique index reconciliation_differences_once_per_line
  on reconciliation_differences (supplier, reference, at, amount_theirs, nth) nulls not distinct where line_no is not null;
comment on index reconciliation_differences_once_per_line is 'Allows one row per line, also where statements overlap.';

create index reconciliation_differences_by_time on reconciliation_differences (found_at, id);
comment on index reconciliation_differences_by_time is 'Serves the list of all differences, newest first.';

create index reconciliation_differences_open on reconciliation_differences (supplier, order_id, attempt_no)
  where closed_at is null;
comment on index reconciliation_differences_open is 'Serves an import: the open differences that it may explain.';

create index reconciliation_differences_open_by_time on reconciliation_differences (found_at, id) where closed_at is null;
comment on index reconciliation_differences_open_by_time is 'Serves the list of open differences, newest first.';

create index reconciliation_differences_of_a_statement on reconciliation_differences (statement_id, found_at, id);
comment on index reconciliation_differences_of_a_statement is 'Serves the differences of one statement.';

create index reconciliation_differences_of_a_person on reconciliation_differences (assigned_to, found_at, id)
  where closed_at is null and assigned_to is not null;
comment on index reconciliation_differences_of_a_person is 'Serves the open differences of one person.';

create index reconciliation_differences_by_reference on reconciliation_differences (reference);
comment on index reconciliation_differences_by_reference is 'Serves the differences of one reference.';

grant select, insert on reconciliation_differences to makola_app;
grant update (kind, why, assigned_to, closed_at, closed_by, close_reason) on reconciliation_differences to makola_app;

create table statement_uploads (
  id uuid primary key,
  supplier text not null,
  file_name text not null,
  size integer not null,
  begun_by text not null,
  begun_at timestamptz not null default clock_timestamp(),
  constraint statement_uploads_hold_something check (size > 0)
);
comment on table statement_uploads is
  'An upload of a supplier''s statement from a browser. It comes in parts, so that a broken connection loses one part at most,
and no transaction is open while it comes.
Grows: removed when the statement has been imported.';

create index statement_uploads_by_time on statement_uploads (begun_at);
comment on index statement_uploads_by_time is 'Serves the deletion of unfinished uploads.';

grant select, insert, update, delete on statement_uploads to makola_app;

create table statement_upload_parts (
  upload_id uuid not null references statement_uploads (id) on delete cascade,
  part_no integer not null,
  bytes bytea not null,
  primary key (upload_id, part_no)
);
comment on table statement_upload_parts is
  'One part of an upload.
Grows: removed with its upload.';
grant select, insert, update, delete on statement_upload_parts to makola_app;
