-- Changes that loosen what guards money or rights. `approval_id` is null for what was set while the installation was set
-- up: no money had moved yet.
create table loosenings (
  id uuid primary key,
  kind text not null,
  subject text not null,
  value jsonb not null,
  approval_id uuid references approvals (id),
  at timestamptz not null default clock_timestamp()
);
create index loosenings_by_subject on loosenings (kind, subject, at);
create trigger loosenings_are_append_only before update or delete or truncate on loosenings
  for each statement execute function refuse_to_change_history();
grant select, insert on loosenings to makola_app;

-- Settings that were loosened before this moment needed no approval.
do $$ begin
  execute format('create function guarded_since() returns timestamptz language sql immutable as %L',
    format('select %L::timestamptz', clock_timestamp()));
end $$;

-- When the owners were told of a proposed loosening. Where nobody else can confirm it, it takes effect 24 hours later.
create table loosening_notices (
  approval_id uuid primary key references approvals (id),
  told_at timestamptz not null default clock_timestamp()
);
create trigger loosening_notices_are_append_only before update or delete or truncate on loosening_notices
  for each statement execute function refuse_to_change_history();
grant select, insert on loosening_notices to makola_app;

-- Who gave rights at the desk to whom, and who lost them, for the days in which that matters.
create table given_rights (
  id uuid primary key,
  person_id text not null,
  email text not null,
  role text not null,
  given_by text not null,
  given_os_user text not null,
  given_person_id text,
  given_at timestamptz not null default clock_timestamp()
);
create index given_rights_by_time on given_rights (given_at);
create table ended_rights (
  id uuid primary key,
  person_id text not null,
  email text not null,
  role text not null,
  ended_by text not null,
  ended_at timestamptz not null default clock_timestamp()
);
create index ended_rights_by_time on ended_rights (ended_at);
create trigger given_rights_are_append_only before update or delete or truncate on given_rights
  for each statement execute function refuse_to_change_history();
create trigger ended_rights_are_append_only before update or delete or truncate on ended_rights
  for each statement execute function refuse_to_change_history();
grant select, insert on given_rights, ended_rights to makola_app;

-- Whether root named the user of the operating system in SUDO_USER, which nobody proves.
alter table approvals add column proposed_user_named boolean not null default false,
  add column decided_user_named boolean not null default false;
grant update (decided_user_named) on approvals to makola_app;

-- The roles that staff have had until now.
insert into loosenings (id, kind, subject, value, at)
  select gen_random_uuid(), 'staff set-role', person_id::text, jsonb_build_object('role', role), 'epoch' from staff;

alter table person_mails
  add column approval_id uuid references approvals (id),
  drop constraint person_mails_kind_is_known,
  add constraint person_mails_kind_is_known check (kind in ('sign_up', 'forgot_password', 'password_changed', 'invitation',
    'staff_invitation', 'second_factor_reset', 'report', 'loosening'));
