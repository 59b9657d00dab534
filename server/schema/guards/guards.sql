create table loosenings (
  id uuid primary key,
  kind text not null,
  subject text not null,
  value jsonb not null,
  approval_id uuid references approvals (id),
  at timestamptz not null default clock_timestamp()
);
comment on table loosenings is
  'A change that loosened a guard of money or rights.
Grows: a row per loosening, for ever.';
comment on column loosenings.approval_id is 'Null: set while the installation was set up, before any money had moved.';

create index loosenings_by_subject on loosenings (kind, subject, at);
comment on index loosenings_by_subject is 'Serves the audit, which checks that the loosening of a subject was approved.';

create trigger loosenings_are_append_only before update or delete or truncate on loosenings
  for each statement execute function refuse_to_change_history();
grant select, insert on loosenings to makola_app;
