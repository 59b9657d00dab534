create table partitioned_tables (
  name text primary key,
  storage text not null,
  is_put_away boolean not null default false
);
comment on table partitioned_tables is
  'A table with a partition for each month of its ids (UTC). `create_partitions` makes them ahead.
Grows: with a release only.';
comment on column partitioned_tables.storage is 'The storage parameters of each partition, such as `fillfactor = 50`.';
comment on column partitioned_tables.is_put_away is
  'Whether old months of this table are put away into files.';
grant select on partitioned_tables to makola_app;

create table put_away_months (
  month date primary key,
  state text not null default 'taken_out',
  folder text,
  host text,
  bytes bigint,
  row_counts jsonb not null,
  manifest_hash text,
  taken_out_at timestamptz not null default clock_timestamp(),
  written_at timestamptz,
  constraint put_away_months_state_is_known check (state in ('taken_out', 'written', 'put_away', 'coming_back')),
  constraint put_away_months_written_have_files check (state = 'taken_out' or manifest_hash is not null)
);
comment on table put_away_months is
  'A month whose orders that were delivered within it are put away: their rows of the tables with `is_put_away` are no rows of
these tables. `taken_out`: they wait beside them, in tables whose names end with `_away`. `written`: they are in files too.
`put_away`: they are in files only. `coming_back`: the files are being read in again. Only functions of the owner write here.
Grows: a row per month that is put away.';
comment on column put_away_months.row_counts is 'The number of rows per table, those that stayed as well included.';
comment on column put_away_months.manifest_hash is
  'The SHA-256 of `manifest.json`. A line of the operator''s log has it too, and is sealed in its chain.';
grant select on put_away_months to makola_app;
