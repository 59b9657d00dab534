-- What one person proposes and another one confirms or refuses. `request` is what will be done, frozen; `subject`
-- is what it is about, as the operator's log names it. The same `key` waits once.
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
  constraint approvals_state_is_known check (state in ('pending', 'done', 'refused', 'expired')),
  constraint approvals_take_two_people check (state <> 'done' or lower(decided_by) <> lower(proposed_by)),
  constraint approvals_decided_have_their_person check ((state in ('done', 'refused')) = (decided_by is not null)),
  constraint approvals_decided_have_their_time check ((state = 'pending') = (decided_at is null))
);
create unique index approvals_one_open_per_key on approvals (kind, key) where state = 'pending';
create index approvals_by_age on approvals (created_at, id);

-- A proposal is decided once; what was proposed, and what was decided, never changes.
create function keep_approvals() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' or new.state = 'pending'
    or (new.id, new.kind, new.key, new.subject, new.request, new.reason, new.before, new.after,
        new.proposed_by, new.proposed_os_user, new.created_at, new.expires_at)
      is distinct from
       (old.id, old.kind, old.key, old.subject, old.request, old.reason, old.before, old.after,
        old.proposed_by, old.proposed_os_user, old.created_at, old.expires_at) then
    raise exception 'a proposal is decided once and never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger approvals_are_decided_once before update on approvals for each row execute function keep_approvals();
create trigger approvals_are_never_deleted before delete or truncate on approvals
  for each statement execute function refuse_to_change_history();

grant select, insert on approvals to makola_app;
grant update (state, decided_by, decided_os_user, decided_at, decision_note) on approvals to makola_app;

-- `one_person_limit`: what one person might credit alone when this was credited. Credits from before there was a
-- limit count as below it.
alter table wallet_credits
  add column approval_id uuid references approvals (id),
  add column one_person_limit bigint default 9007199254740991;
alter table wallet_credits alter column one_person_limit drop default;
create trigger wallet_credits_are_append_only before update or delete or truncate on wallet_credits
  for each statement execute function refuse_to_change_history();

-- Money or credits that two people took back. The id is that of their approval, and the cause of the transfer.
create table wallet_corrections (
  id uuid primary key references approvals (id),
  account_id uuid not null references accounts (id),
  purse text not null,
  credit_id uuid references wallet_credits (id),
  amount bigint not null,
  reason text not null,
  actor text not null,
  created_at timestamptz not null default now(),
  constraint wallet_corrections_amount_is_positive check (amount > 0)
);
create index wallet_corrections_of_a_credit on wallet_corrections (credit_id) where credit_id is not null;
create trigger wallet_corrections_are_append_only before update or delete or truncate on wallet_corrections
  for each statement execute function refuse_to_change_history();
grant select, insert on wallet_corrections to makola_app;

-- The operating system's user beside the name that was typed. Commands tell it to their session, so that every
-- line of the log has it, whatever wrote the line.
alter table operator_log add column os_user text default nullif(current_setting('makola.os_user', true), '');
create index operator_log_by_subject on operator_log (subject, id);

alter table settlement_proposals add column proposed_os_user text, add column confirmed_os_user text;
