create table tables_in_parts (
  name text primary key,
  storage text not null
);
comment on table tables_in_parts is
  'A table that is kept in parts, one for each month of its ids (UTC). `make_parts` makes the parts ahead.
Grows: with a release only.';
comment on column tables_in_parts.storage is 'The storage parameters of each part, such as `fillfactor = 50`.';
grant select on tables_in_parts to makola_app;
