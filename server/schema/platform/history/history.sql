create table history_mark (
  only_row boolean primary key default true,
  database_id uuid not null default gen_random_uuid(),
  position bigint not null default 0,
  moved_at timestamptz not null default clock_timestamp(),
  constraint history_mark_has_one_row check (only_row)
) with (fillfactor = 10);
comment on table history_mark is
  'The mark of history: every process adds 1 to it about once a second, and remembers the number. When a process later finds a
lower one, the database has lost what was committed in between. Most of the page is left free: the updates then touch no index.
Grows: one row for ever.';
comment on column history_mark.database_id is
  'Made with the schema, and kept by every copy and restore, so that another database is not taken for this one.';
insert into history_mark default values;
grant select, update on history_mark to makola_app;

create table history_lines (
  line text primary key,
  began_after bigint not null,
  began_after_at timestamptz not null
);
comment on table history_lines is
  'A start of a database server, from the first mark that it wrote. A remembered mark belongs to this history if its line is here,
and the next line began after it.
Grows: a row per start of the database server, for ever.';
comment on column history_lines.line is 'When the server started, in seconds since 1970.';
comment on column history_lines.began_after is 'The last mark before this line.';

create index history_lines_by_beginning on history_lines (began_after);
comment on index history_lines_by_beginning is 'Serves the line after a remembered one.';
grant select, insert on history_lines to makola_app;

create table history_gaps (
  id uuid primary key,
  noticed_at timestamptz not null default clock_timestamp(),
  noticed_by text not null,
  reason text not null,
  went_back_to timestamptz not null,
  known_until timestamptz not null,
  accepted_at timestamptz,
  accepted_by text,
  kept_back jsonb not null default '{}',
  constraint history_gaps_accepted_by_somebody check ((accepted_at is null) = (accepted_by is null))
);
comment on table history_gaps is
  'A time when the history of this database went back, or an older backup was restored. Until two people accept it, nothing is sold
and nothing is sent.
Grows: a row per restore or lost fail-over, hardly ever.';
comment on column history_gaps.went_back_to is 'The moment of the last mark that the database still knows.';
comment on column history_gaps.kept_back is 'Written when two people accept the gap: how many of each were not sent or sold again by themselves. For example
`{"orders_asked_about": 12, "campaigns_paused": 1, "vouchers_set_aside": 40}`. Empty until then.';
comment on column history_gaps.known_until is 'The moment of the last mark that the process which noticed it remembers.';

create unique index history_gaps_one_open on history_gaps ((accepted_at is null)) where accepted_at is null;
comment on index history_gaps_one_open is 'Allows one gap that is not accepted; every process looks for it each second.';
grant select, insert, update on history_gaps to makola_app;
