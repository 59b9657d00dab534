-- A supplier's statement on its way in from a browser: in parts, so that a slow or broken line loses no more than one of
-- them, and no request holds a transaction open while it is sent. Both are deleted when the statement has been imported.
create table statement_uploads (
  id uuid primary key,
  supplier text not null,
  file_name text not null,
  size integer not null,
  begun_by text not null,
  begun_at timestamptz not null default clock_timestamp(),
  constraint statement_uploads_hold_something check (size > 0)
);
create index statement_uploads_by_time on statement_uploads (begun_at);
create table statement_upload_parts (
  upload_id uuid not null references statement_uploads (id) on delete cascade,
  part_no integer not null,
  bytes bytea not null,
  primary key (upload_id, part_no)
);
grant select, insert, update, delete on statement_uploads, statement_upload_parts to makola_app;
