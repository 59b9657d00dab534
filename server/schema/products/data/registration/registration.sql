create table registrations (
  number text not null,
  server smallint not null,
  state text not null,
  checked_at timestamptz not null default clock_timestamp(),
  primary key (number, server),
  constraint registrations_number_has_ten_digits check (number ~ '^0[0-9]{9}$'),
  constraint registrations_server_is_known check (server in (1, 2)),
  constraint registrations_state_is_known check (state in ('registered', 'pending', 'not_registered'))
) with (fillfactor = 80);
comment on table registrations is
  'A number that a registration server has called registered. The answer is trusted for 30 days; other answers are not stored.
Grows: a row per number and server; older rows are of no use and are removed.';
grant select, insert, update, delete on registrations to makola_app;
