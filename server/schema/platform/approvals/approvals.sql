create table approvals (
  id uuid primary key,
  kind text not null,
  key text not null,
  subject text not null,
  request jsonb not null,
  reason text not null,
  before text,
  after text,
  proposed_by text not null,
  proposed_os_user text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  state text not null default 'pending',
  decided_by text,
  decided_os_user text,
  decided_at timestamptz,
  decision_note text,
  proposed_person_id text,
  decided_person_id text,
  proposed_user_named boolean not null default false,
  decided_user_named boolean not null default false,
  constraint approvals_state_is_known check (state in ('pending', 'done', 'refused', 'expired')),
  constraint approvals_take_two_people check (state <> 'done' or lower(decided_by) <> lower(proposed_by)),
  constraint approvals_decided_have_their_person check ((state in ('done', 'refused')) = (decided_by is not null)),
  constraint approvals_decided_have_their_time check ((state = 'pending') = (decided_at is null))
);
comment on table approvals is
  'A proposal of one person, which another person confirms or refuses. `request` is the action, and never changes; `subject`
is the action''s subject in the operator''s log. Only one proposal waits per `key`.
Grows: a row per proposal, for ever.';
comment on column approvals.proposed_person_id is
  'The person at the desk. An e-mail may change, or become another person''s; this id stays. Null: proposed on the command
line.';
comment on column approvals.decided_person_id is 'See `proposed_person_id`.';
comment on column approvals.proposed_user_named is
  'Whether root named the user of the operating system in SUDO_USER. Such a name is not proven.';
comment on column approvals.decided_user_named is 'See `proposed_user_named`.';

create unique index approvals_one_open_per_key on approvals (kind, key) where state = 'pending';
comment on index approvals_one_open_per_key is 'Allows one waiting proposal per kind and key.';

create index approvals_by_age on approvals (created_at, id);
comment on index approvals_by_age is 'Serves the list of all proposals, newest first.';

create index approvals_by_key on approvals (key);
comment on index approvals_by_key is 'Serves the history of an order: the decisions of people about it.';

create index approvals_waiting on approvals (created_at, id) where state = 'pending';
comment on index approvals_waiting is 'Serves the list of waiting proposals.';

create index approvals_by_amount on approvals ((request ->> 'amount'), id) where request ->> 'amount' is not null;
comment on index approvals_by_amount is
  'Serves `makola find` with an amount. An adjustment that takes money has an amount below 0.';

create trigger approvals_are_decided_once before update on approvals for each row execute function keep_approvals();
create trigger approvals_are_never_deleted before delete or truncate on approvals
  for each statement execute function refuse_to_change_history();
grant select, insert on approvals to makola_app;
grant update (state, decided_by, decided_os_user, decided_at, decision_note, decided_person_id, decided_user_named)
  on approvals to makola_app;

create table approval_references (
  reference text primary key,
  approval_id uuid not null references approvals (id),
  status text not null,
  said text not null,
  created_at timestamptz not null default now(),
  constraint approval_references_status_is_known check (status in ('pending', 'done'))
);
comment on table approval_references is
  'A reference that a page sent with its proposal. A request with the same reference gets the same proposal, also after the
decision.
Grows: a row per proposal of the desk, for ever.';
comment on column approval_references.said is 'A hash of the person and the request.';

create trigger approval_references_are_append_only before update or delete or truncate on approval_references
  for each statement execute function refuse_to_change_history();
grant select, insert on approval_references to makola_app;

create table loosening_notices (
  approval_id uuid primary key references approvals (id),
  notified_at timestamptz not null default clock_timestamp()
);
comment on table loosening_notices is
  'The time at which the owners were notified of a proposed loosening. Where nobody else can confirm it, it takes effect some
hours later: 24, for a lost second factor those of `lost_factor_wait_hours`.
Grows: a row per proposed loosening, for ever.';

create trigger loosening_notices_are_append_only before update or delete or truncate on loosening_notices
  for each statement execute function refuse_to_change_history();
grant select, insert on loosening_notices to makola_app;

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
comment on table given_rights is
  'A right at the desk that one person gave to another. For some days these two cannot act as two people.
Grows: a row per right given, for ever.';

create index given_rights_by_time on given_rights (given_at);
comment on index given_rights_by_time is 'Serves the approval of a loosening: the rights given lately.';

create trigger given_rights_are_append_only before update or delete or truncate on given_rights
  for each statement execute function refuse_to_change_history();
grant select, insert on given_rights to makola_app;

create table ended_rights (
  id uuid primary key,
  person_id text not null,
  email text not null,
  role text not null,
  ended_by text not null,
  ended_at timestamptz not null default clock_timestamp()
);
comment on table ended_rights is
  'A right at the desk that a person lost. For some days the person still counts as one who could confirm.
Grows: a row per right lost, for ever.';

create index ended_rights_by_time on ended_rights (ended_at);
comment on index ended_rights_by_time is 'Serves the approval of a loosening: the rights that ended lately.';

create trigger ended_rights_are_append_only before update or delete or truncate on ended_rights
  for each statement execute function refuse_to_change_history();
grant select, insert on ended_rights to makola_app;
