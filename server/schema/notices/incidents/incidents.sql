create table incidents (
  id uuid primary key,
  level text not null,
  message text not null,
  shown_from timestamptz not null,
  shown_until timestamptz,
  announced_by text not null,
  announced_at timestamptz not null default clock_timestamp(),
  ended_by text,
  ended_at timestamptz,
  constraint incidents_level_is_known check (level in ('news', 'trouble', 'outage')),
  constraint incidents_message_is_short check (char_length(message) between 1 and 300),
  constraint incidents_end_after_they_begin check (shown_until > shown_from),
  constraint incidents_ended_have_their_person check ((ended_by is null) = (ended_at is null))
);
comment on table incidents is
  'An announcement of the operator above all resellers'' screens, for example while something is wrong. Rows are never
removed, so the table is also the history of announcements.
Grows: a row per announcement, for ever.';
comment on column incidents.shown_until is 'Null: until somebody ends it.';

create index incidents_not_ended on incidents (shown_from) where ended_at is null;
comment on index incidents_not_ended is 'Serves every screen of the app: the present announcements.';

create index incidents_by_time on incidents (announced_at, id);
comment on index incidents_by_time is 'Serves the desk''s history of announcements.';

grant select, insert on incidents to makola_app;
grant update (ended_by, ended_at) on incidents to makola_app;
