-- The user of the operating system, or the sign-in at the desk, who credited alone. The limit of one person counts what
-- the same user credited under several names.
alter table wallet_credits add column os_user text;
alter table top_ups add column decided_os_user text;

-- What people credited alone lately, for that limit. Purchases write neither table.
create index wallet_credits_of_one_person on wallet_credits (created_at) where approval_id is null;
create index top_ups_confirmed_by_one_person on top_ups (ended_at)
  where state = 'credited' and approval_id is null and decided_by is not null;

-- The person at the desk behind a name. An e-mail may change, or become another person's. Null: on the command line.
alter table approvals add column proposed_person_id text, add column decided_person_id text;
grant update (decided_person_id) on approvals to makola_app;

create or replace function keep_approvals() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' or new.state = 'pending'
    or (new.id, new.kind, new.key, new.subject, new.request, new.reason, new.before, new.after,
        new.proposed_by, new.proposed_os_user, new.proposed_person_id, new.created_at, new.expires_at)
      is distinct from
       (old.id, old.kind, old.key, old.subject, old.request, old.reason, old.before, old.after,
        old.proposed_by, old.proposed_os_user, old.proposed_person_id, old.created_at, old.expires_at) then
    raise exception 'a proposal is decided once and never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- What a page sent under a reference of its own. The same reference is answered with the same proposal, also after that
-- was decided. `said` is a hash of who asked for what.
create table approval_references (
  reference text primary key,
  approval_id uuid not null references approvals (id),
  status text not null,
  said text not null,
  created_at timestamptz not null default now(),
  constraint approval_references_status_is_known check (status in ('pending', 'done'))
);
create trigger approval_references_are_append_only before update or delete or truncate on approval_references
  for each statement execute function refuse_to_change_history();
grant select, insert on approval_references to makola_app;
