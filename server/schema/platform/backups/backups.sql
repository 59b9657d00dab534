create table backups (
  id bigint generated always as identity primary key,
  made_at timestamptz not null,
  kind text not null constraint backups_kind check (kind ~ '^[a-z][a-z0-9_-]{0,39}$'),
  place text not null constraint backups_place check (length(place) between 1 and 500),
  bytes bigint constraint backups_bytes check (bytes >= 0)
);
create index backups_by_time on backups (made_at desc);
comment on index backups_by_time is 'Serves the alarm, `makola doctor` and `makola backup status` with the newest backup.';
comment on table backups is
  'A backup of this database that was made: by `makola backup`, or by another program that told of it with `makola backup note`.
Grows: a row per backup; removed after 400 days.';
grant select, insert, delete on backups to makola_app;
