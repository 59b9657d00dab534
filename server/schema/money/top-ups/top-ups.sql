create table top_ups (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  way text not null,
  reference text not null,
  page_reference text not null,
  amount bigint not null,
  fee bigint not null,
  state text not null,
  made_by text not null,
  payment_url text,
  transfer_reference text,
  transfer_key text,
  note text,
  said text,
  evidence text,
  channel text,
  asked_at timestamptz,
  next_ask_at timestamptz,
  unanswered_since timestamptz,
  expires_at timestamptz,
  reason text,
  decided_by text,
  approval_id uuid references approvals (id),
  one_person_limit bigint,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  payer_phone text,
  decided_os_user text,
  is_by_floor boolean not null default false,
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
comment on table top_ups is
  'A reseller''s payment into its wallet: through a gateway, or by a transfer of its own (`way` is `transfer`) that a person
confirms. `amount` goes to the wallet; the payer pays `fee` in addition.
Grows: a row per top-up that was begun, for ever.';
comment on column top_ups.reference is 'Our reference of the top-up at the gateway.';
comment on column top_ups.page_reference is 'Made by the page, so that a repeated request is the same top-up.';
comment on column top_ups.transfer_reference is 'The number of a transfer, as the payer wrote it.';
comment on column top_ups.transfer_key is 'The number of a transfer in capitals and without signs, for comparisons.';
comment on column top_ups.said is 'The gateway''s last answer, as one of our words.';
comment on column top_ups.evidence is 'The gateway''s last answer, in its own words.';
comment on column top_ups.expires_at is
  'The end of the time in which the payer may pay. Afterwards only proof of a payment counts.';
comment on column top_ups.payer_phone is 'The number that a gateway asks for a payment on the phone; null for the other ways.';
comment on column top_ups.decided_os_user is 'See `wallet_credits.os_user`.';
comment on column top_ups.is_by_floor is 'True: the worker began it, because the balance fell below the account''s floor.';

create index top_ups_of_an_account on top_ups (account_id, id);
comment on index top_ups_of_an_account is 'Serves the top-ups of one account, newest first.';

create index top_ups_due on top_ups (next_ask_at) where next_ask_at is not null;
comment on index top_ups_due is 'Serves the timer that asks gateways.';

create index top_ups_for_people on top_ups (id) where state in ('waiting', 'held');
comment on index top_ups_for_people is
  'Serves the list of top-ups that wait for the staff: transfers to confirm and held payments.';

create index top_ups_by_transfer on top_ups (transfer_key) where transfer_key is not null;
comment on index top_ups_by_transfer is 'Serves the report of a transfer: other top-ups with the same transfer number.';

create unique index top_ups_credit_a_transfer_once on top_ups (transfer_key) where state = 'credited' and transfer_key is not null;
comment on index top_ups_credit_a_transfer_once is 'Allows one credited top-up per transfer number.';

create index top_ups_by_state on top_ups (state, id);
comment on index top_ups_by_state is 'Serves the desk''s list of top-ups of some states.';

create index top_ups_confirmed_by_one_person on top_ups (ended_at)
  where state = 'credited' and approval_id is null and decided_by is not null;
comment on index top_ups_confirmed_by_one_person is
  'Serves the limit of one person: the latest transfers that people confirmed alone.';

create index top_ups_by_amount on top_ups (amount, id);
comment on index top_ups_by_amount is 'Serves `makola find` with an amount.';

create trigger top_ups_are_kept before update on top_ups for each row execute function keep_top_ups();
create trigger top_ups_are_never_deleted before delete or truncate on top_ups
  for each statement execute function refuse_to_change_history();
grant select, insert, update on top_ups to makola_app;

create table top_up_pictures (
  top_up_id uuid primary key references top_ups (id),
  media_type text not null,
  bytes bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint top_up_pictures_type_is_known check (media_type in ('image/png', 'image/jpeg')),
  constraint top_up_pictures_are_small check (octet_length(bytes) <= 1048576)
);
comment on table top_up_pictures is
  'The picture of a receipt that came with a transfer.
Grows: at most one row per transfer, of 1 MB at most, for ever.';
grant select, insert, update, delete on top_up_pictures to makola_app;

create table top_ups_to_forget (top_up_id uuid primary key references top_ups (id));
comment on table top_ups_to_forget is
  'A top-up that was not over when it was old enough for its payer to be forgotten: it had not ended, or its gateway was still
asked about it; or one that was asked about again after its payer was forgotten. The payer is forgotten afterwards.
Grows: rarely; normally empty.';
grant select, insert, delete on top_ups_to_forget to makola_app;

create table balance_floors (
  account_id uuid primary key references accounts (id),
  floor bigint not null,
  amount bigint not null,
  phone text not null,
  most_per_day integer not null,
  chosen_by text not null,
  chosen_at timestamptz not null default clock_timestamp(),
  tried_at timestamptz,
  constraint balance_floors_floor_is_positive check (floor > 0),
  constraint balance_floors_amount_is_positive check (amount > 0),
  constraint balance_floors_phone_is_a_number check (phone ~ '^0[0-9]{9}$'),
  constraint balance_floors_ask_some_times_a_day check (most_per_day between 1 and 10)
);
comment on table balance_floors is
  'An owner''s wish that a phone is asked for a top-up of `amount` whenever the main wallet falls below `floor`. No row: nobody is
asked.
Grows: at most one row per account.';
comment on column balance_floors.phone is 'The number that is asked to pay. An erasure of the number deletes the row.';
comment on column balance_floors.chosen_by is 'The e-mail of the owner. The row goes when this person leaves the team.';
comment on column balance_floors.tried_at is 'The last time that the phone could not be asked. After it, the worker waits some minutes.';
grant select, insert, update, delete on balance_floors to makola_app;
