-- Settings that were changed for a time only, and the value that each of them returns to. A worker returns them; a row
-- stays afterwards, with how it ended. Processes of an older release change settings without a look at this table; then
-- the return finds another value than the one it was made for, and ends without changing anything.
create table setting_returns (
  id uuid primary key,
  name text not null,
  -- What was set for a time. A return changes nothing if this is not the value any more.
  value jsonb not null,
  returns_to jsonb not null,
  -- Whether the operator had set no value before, so that the return takes the operator's own value away again.
  is_to_default boolean not null,
  returns_at timestamptz not null,
  reason text,
  made_by text not null,
  made_at timestamptz not null default clock_timestamp(),
  -- Why the return could not be made at its time. It is tried again until it can be.
  refused_because text,
  tried_at timestamptz,
  ended_at timestamptz,
  ended_how text,
  ended_by text,
  constraint setting_returns_end_in_one_way check ((ended_at is null) = (ended_how is null) and (ended_at is null) = (ended_by is null)),
  constraint setting_returns_know_their_ends check (ended_how in ('returned', 'kept', 'replaced'))
);
create unique index setting_returns_one_open_per_setting on setting_returns (name) where ended_at is null;
create index setting_returns_open_by_time on setting_returns (returns_at) where ended_at is null;
grant select, insert, update on setting_returns to makola_app;
