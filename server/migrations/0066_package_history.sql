-- What was changed in each package and its offers, when and by whom. Rows are only added, and outlive their package.
create table package_changes (
  id bigint generated always as identity primary key,
  package_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  -- In the words of the command line, such as `packages import`.
  action text not null,
  reason text,
  -- {"price_agent": {"before": 4.2, "after": 4.3}}: the columns of a price list, amounts in GHS.
  columns jsonb not null
);
create index package_changes_by_package on package_changes (package_id, id desc);
grant select, insert on package_changes to makola_app;
