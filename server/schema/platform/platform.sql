create table installation (
  only_row boolean primary key default true,
  mode text not null,
  stamped_at timestamptz not null default now(),
  constraint installation_has_one_row check (only_row),
  constraint installation_mode_is_known check (mode in ('simulated', 'live', 'test'))
);
comment on table installation is
  'Whether this database works with simulated or with real money, or is the test side of another one. Written at the first start and never changed, so that no
process of the other mode can serve it.
Grows: one row for ever.';
grant select, insert on installation to makola_app;

create table cache_epoch (
  only_row boolean primary key default true,
  epoch bigint not null default 1,
  catalogue_version bigint not null default 1,
  constraint cache_epoch_has_one_row check (only_row)
);
comment on table cache_epoch is
  'The version of everything that processes cache. Every change to keys, accounts, settings or the catalogue raises `epoch` in
its own transaction; processes read it four times a second and empty their caches when it has changed.
Grows: one row for ever.';
comment on column cache_epoch.catalogue_version is
  'Raised only by changes of prices, packages, routes, suppliers and commission. An order that was priced from an older
version is priced again.';
insert into cache_epoch default values;
grant select, update on cache_epoch to makola_app;

create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by text not null
);
comment on table settings is
  'The value of a setting that the operator changed. A setting without a row has its default.
Grows: at most one row per setting.';
grant select, insert, update, delete on settings to makola_app;

create table operator_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null default '{}',
  os_user text default nullif(current_setting('makola.os_user', true), ''),
  transaction_id xid8 not null default pg_current_xact_id(),
  era smallint not null default 0
);
comment on table operator_log is
  'A change that a person made by a command or a page. Never altered, and sealed in a chain.
Grows: a row per change, for ever.';
comment on column operator_log.os_user is
  'The user of the operating system, beside the typed name. A command sets it in its database session, so that every line of
the command has it.';
comment on column operator_log.era is
  'The number of servers that this database was restored into. Each server numbers transactions anew, so the place of a row in
its chain is its era, then its transaction. `makola migrate` begins a new era by changing this default.';

create index operator_log_by_subject on operator_log (subject, id);
comment on index operator_log_by_subject is
  'Serves the audit, which looks for a line about one subject, and the history of one setting.';

create index operator_log_by_position on operator_log
  using brin (((era::bigint << 48) + transaction_id::text::bigint)) with (pages_per_range = 32, autosummarize = on);
comment on index operator_log_by_position is
  'Serves sealing and verifying the chain. A BRIN index: a few bytes per megabyte of rows, and almost no insert writes to it.';

create index operator_log_by_first_word on operator_log ((split_part(action, ' ', 1)), id);
comment on index operator_log_by_first_word is
  'Serves the live updates of the desk: the newest line of each kind. The first word of an action is its kind.';

create index operator_log_by_time on operator_log (at, id);
comment on index operator_log_by_time is 'Serves the log, newest first.';

create index operator_log_by_actor on operator_log (lower(actor), at, id);
comment on index operator_log_by_actor is 'Serves the log of one actor, newest first.';

create index operator_log_by_os_user on operator_log (lower(os_user), at, id);
comment on index operator_log_by_os_user is 'Serves the log of one user of the operating system, newest first.';

create index operator_log_by_action on operator_log (action, at, id);
comment on index operator_log_by_action is 'Serves the log of one action, newest first.';

create index operator_log_by_lower_subject on operator_log (lower(subject), at, id);
comment on index operator_log_by_lower_subject is 'Serves the log about one subject, newest first.';

create index operator_log_by_account on operator_log (lower(details ->> 'account_id'), at, id);
comment on index operator_log_by_account is 'Serves the log about one account, newest first.';

create trigger operator_log_is_append_only before update or delete or truncate on operator_log
  for each statement execute function refuse_to_change_history();
grant select, insert on operator_log to makola_app;

create unlogged table rate_limits (
  key text primary key,
  points integer not null,
  expire bigint not null
) with (fillfactor = 50);
comment on table rate_limits is
  'The requests of a key in the running minute, for one budget, shared by all API processes. Unlogged: after a crash of the
database all counts begin at 0, which does no harm. The library rate-limiter-flexible reads and writes these columns, in this
order.
Grows: a row per key and budget that was used lately; expired rows are removed.';
grant select, insert, update, delete on rate_limits to makola_app;

create table setting_returns (
  id uuid primary key,
  name text not null,
  value jsonb not null,
  returns_to jsonb not null,
  is_to_default boolean not null,
  returns_at timestamptz not null,
  reason text,
  made_by text not null,
  made_at timestamptz not null default clock_timestamp(),
  refused_because text,
  tried_at timestamptz,
  ended_at timestamptz,
  ended_how text,
  ended_by text,
  constraint setting_returns_end_in_one_way
    check ((ended_at is null) = (ended_how is null) and (ended_at is null) = (ended_by is null)),
  constraint setting_returns_know_their_ends check (ended_how in ('returned', 'kept', 'replaced'))
);
comment on table setting_returns is
  'A temporary change of a setting, and the value to return to. A worker returns it; the row stays, with how it ended. During
an upgrade a process of the older release may change the setting without updating this table; the return then finds another
value than it expects, and ends without a change.
Grows: a row per change for a time, kept for ever.';
comment on column setting_returns.value is
  'The temporary value. If the setting has another value at the time of the return, the return changes nothing.';
comment on column setting_returns.is_to_default is
  'Whether the operator had set no value before. Then the return removes the operator''s value.';
comment on column setting_returns.refused_because is
  'The reason why the return was refused at its time. It is tried again until it succeeds.';

create unique index setting_returns_one_open_per_setting on setting_returns (name) where ended_at is null;
comment on index setting_returns_one_open_per_setting is 'Allows one open return per setting; serves the page of one setting.';

create index setting_returns_open_by_time on setting_returns (returns_at) where ended_at is null;
comment on index setting_returns_open_by_time is 'Serves the timer that returns settings at their time.';

grant select, insert, update on setting_returns to makola_app;
