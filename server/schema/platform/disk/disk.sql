create table data_sizes (
  day date primary key,
  bytes bigint not null,
  measured_at timestamptz not null default clock_timestamp()
);
comment on table data_sizes is
  'The size of the database at the end of a day (UTC), from which `makola doctor` knows when the disk will be full.
Grows: a row per day; removed after 400 days.';
grant select, insert, update, delete on data_sizes to makola_app;
