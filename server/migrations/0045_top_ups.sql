-- Payment gateways that take resellers' top-ups: one row for each that the operator has an account at. The credentials
-- are sealed. Only new tables: nothing that sells is locked.
create table gateways (
  name text primary key,
  is_enabled boolean not null default true,
  base_url text not null,
  credentials text not null,
  updated_at timestamptz not null default clock_timestamp()
);
grant select, insert, update on gateways to makola_app;

-- Money that a reseller pays in: through a gateway, or by a transfer of its own (`way` is `transfer`) which a person
-- confirms. `amount` is what the wallet gets, `fee` what the payer pays on top of it.
create table top_ups (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  way text not null,
  -- What the gateway knows it by.
  reference text not null,
  -- Made by the page, so that a repeated request is the same top-up.
  page_reference text not null,
  amount bigint not null,
  fee bigint not null,
  state text not null,
  made_by text not null,
  payment_url text,
  -- Of a transfer: its number as the payer wrote it, and in capitals without signs, to be compared.
  transfer_reference text,
  transfer_key text,
  note text,
  -- What the gateway said last, in one word of ours and in its own.
  said text,
  evidence text,
  channel text,
  asked_at timestamptz,
  next_ask_at timestamptz,
  unanswered_since timestamptz,
  -- Until then somebody may pay; later only proof counts.
  expires_at timestamptz,
  reason text,
  decided_by text,
  approval_id uuid references approvals (id),
  one_person_limit bigint,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint top_ups_once_per_reference unique (reference),
  constraint top_ups_once_per_page_reference unique (account_id, page_reference),
  constraint top_ups_amount_is_positive check (amount > 0),
  constraint top_ups_fee_is_not_negative check (fee >= 0),
  constraint top_ups_state_is_known
    check (state in ('pending', 'waiting', 'credited', 'failed', 'expired', 'held', 'declined')),
  constraint top_ups_only_transfers_wait_for_people check (state <> 'waiting' or way = 'transfer'),
  constraint top_ups_transfers_have_a_number check ((way = 'transfer') = (transfer_key is not null)),
  constraint top_ups_ended_have_their_time check ((state in ('pending', 'waiting')) = (ended_at is null)),
  constraint top_ups_declined_have_a_reason check (state <> 'declined' or reason is not null)
);
create index top_ups_of_an_account on top_ups (account_id, id);
create index top_ups_due on top_ups (next_ask_at) where next_ask_at is not null;
create index top_ups_for_people on top_ups (id) where state in ('waiting', 'held');
create index top_ups_by_transfer on top_ups (transfer_key) where transfer_key is not null;
create unique index top_ups_credit_a_transfer_once on top_ups (transfer_key) where state = 'credited' and transfer_key is not null;

-- What was asked for never changes, and what was credited or declined stays so.
create function keep_top_ups() returns trigger language plpgsql as $$
begin
  if (new.id, new.account_id, new.way, new.reference, new.page_reference, new.amount, new.fee, new.made_by, new.transfer_key, new.created_at)
      is distinct from
     (old.id, old.account_id, old.way, old.reference, old.page_reference, old.amount, old.fee, old.made_by, old.transfer_key, old.created_at) then
    raise exception 'what a top-up is about never changes' using errcode = 'restrict_violation';
  end if;
  if old.state in ('credited', 'declined') and new.state <> old.state then
    raise exception 'a top-up that was % stays so', old.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger top_ups_are_kept before update on top_ups for each row execute function keep_top_ups();
create trigger top_ups_are_never_deleted before delete or truncate on top_ups
  for each statement execute function refuse_to_change_history();

-- The picture of a receipt that came with a transfer.
create table top_up_pictures (
  top_up_id uuid primary key references top_ups (id),
  media_type text not null,
  bytes bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint top_up_pictures_type_is_known check (media_type in ('image/png', 'image/jpeg')),
  constraint top_up_pictures_are_small check (octet_length(bytes) <= 1048576)
);

grant select, insert, update on top_ups, top_up_pictures to makola_app;
