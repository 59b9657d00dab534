create table afa_registrations (
  order_id uuid primary key,
  identity text,
  created_at timestamptz not null default now(),
  claimed_by text,
  claimed_at timestamptz,
  purged_at timestamptz,
  constraint afa_registrations_purged_hold_nothing check ((identity is null) = (purged_at is not null))
);
comment on table afa_registrations is
  'The applicant of an AFA order: all data sealed in one text.
Grows: a row per AFA order, for ever.';
comment on column afa_registrations.identity is 'Null once it was purged.';
comment on column afa_registrations.claimed_by is 'The member of the staff who works on it since `claimed_at`.';

create index afa_registrations_not_purged on afa_registrations (order_id) where purged_at is null;
comment on index afa_registrations_not_purged is 'Serves the timer that purges identities of ended orders.';

grant select, insert, update on afa_registrations to makola_app;
