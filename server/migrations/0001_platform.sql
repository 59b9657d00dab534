-- What every part stands on: the stamp of the database, settings, the caches' epoch, the operator's log.

create table installation (
  only_row boolean primary key default true,
  mode text not null,
  stamped_at timestamptz not null default now(),
  constraint installation_has_one_row check (only_row),
  constraint installation_mode_is_known check (mode in ('simulated', 'live'))
);

-- One row. Every change to keys, accounts, settings or the catalogue raises `epoch` in its own
-- transaction; processes read it four times a second and flush their caches when it moved.
-- `catalogue_version` moves only with prices, packages and routes: an order priced from an older one is re-priced.
create table cache_epoch (
  only_row boolean primary key default true,
  epoch bigint not null default 1,
  catalogue_version bigint not null default 1,
  constraint cache_epoch_has_one_row check (only_row)
);
insert into cache_epoch default values;

create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by text not null
);

-- Who did what by hand: appended by every command and page that changes something, never altered.
create table operator_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null default '{}'
);

-- Alarms raised by timers and workers; one open row per (name, subject).
create table alarms (
  id uuid primary key,
  name text not null,
  subject text not null,
  message text not null,
  raised_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  cleared_at timestamptz
);
create unique index alarms_one_open_per_subject on alarms (name, subject) where cleared_at is null;

create function refuse_to_change_history() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are history and are never changed', tg_table_name
    using errcode = 'restrict_violation';
end $$;

create trigger operator_log_is_append_only before update or delete or truncate on operator_log
  for each statement execute function refuse_to_change_history();

grant select, insert on installation to makola_app;
grant select, update on cache_epoch to makola_app;
grant select, insert, update, delete on settings to makola_app;
grant select, insert on operator_log to makola_app;
grant select, insert, update on alarms to makola_app;
