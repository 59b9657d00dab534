-- What each key called in the last 30 days, for its owner. Written in batches off the path of the request, purged by a
-- timer; nothing depends on a row. Bodies hold only fields that the schemas know and do not mark as sensitive.
create table request_log (
  id uuid not null,
  -- No foreign key: its check would lock the row of a key that sells.
  key_id uuid not null,
  called_at timestamptz not null,
  method text not null,
  -- The pattern, such as /orders/:reference; what stood in it is part of `request`.
  path text not null,
  status smallint not null,
  milliseconds integer not null,
  request_id text not null,
  address inet,
  -- The refusal's X-Error-Reason.
  reason text,
  -- The references of the orders that the call named.
  order_references text[],
  -- The order that the answer named, when it named one.
  order_id uuid,
  request json,
  response json,
  constraint request_log_once_per_call primary key (key_id, id)
);
create index request_log_by_path on request_log (key_id, path, id);
create index request_log_refused on request_log (key_id, id) where status >= 400;
create index request_log_by_reference on request_log using gin (order_references) where order_references is not null;
-- The purge reads the oldest rows, which stand together: a few bytes per page of the table tell it where.
create index request_log_by_time on request_log using brin (called_at) with (pages_per_range = 32);
grant select, insert, delete on request_log to makola_app;
