create table long_work (
  migration text primary key,
  cursor text,
  rows_done bigint not null default 0,
  rows_in_all bigint not null,
  begun_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
comment on table long_work is
  'How far a migration has come that changes the rows of a large table in small steps, so that it goes on there after it was
broken off. Only `makola migrate` writes it.
Grows: a row per such migration, for ever.';
comment on column long_work.cursor is 'The key of the last row that was changed. Written in the same transaction as the row.';
comment on column long_work.rows_in_all is 'About how many rows the table had when the work began.';
