create table package_changes (
  id bigint generated always as identity primary key,
  package_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action text not null,
  reason text,
  columns jsonb not null
);
comment on table package_changes is
  'A change of a package or its offers: when, by whom, with the values before and after. It stays when the package is deleted.
Grows: a row per changed package, for ever.';
comment on column package_changes.action is 'In the words of the command line, such as `packages import`.';
comment on column package_changes.columns is
  '{"price_agent": {"before": 4.2, "after": 4.3}}: the columns of a price list, amounts in GHS.';

create index package_changes_by_package on package_changes (package_id, id desc);
comment on index package_changes_by_package is 'Serves the history of one package, newest first.';

grant select, insert on package_changes to makola_app;
