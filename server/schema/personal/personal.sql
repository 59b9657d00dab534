create table erasures (
  approval_id uuid primary key references approvals (id),
  number text,
  masked text not null,
  asked_at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  erased jsonb not null default '{}',
  kept jsonb not null default '[]',
  constraint erasures_done_have_no_number check (done_at is null or number is null)
);
comment on table erasures is
  'A person''s wish to have a number erased, which two people carry out. The number is sealed, and removed once the erasure is
done, refused or expired; then only its masked form is left.
Grows: a row per proposal, for ever.';
comment on column erasures.erased is 'How many rows of each kind were erased so far.';
comment on column erasures.kept is 'The rows that were kept, and why.';

create index erasures_with_number on erasures (approval_id) where number is not null;
comment on index erasures_with_number is 'Serves the timer that carries erasures out.';

grant select, insert, update on erasures to makola_app;
