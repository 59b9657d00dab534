-- Balances. Whole pesewas, or whole credits in `sms_credits`. Tiny, updated often, nothing else indexed,
-- no foreign key onto it, so that updates stay heap-only.
create table wallets (
  account_id uuid not null,
  purse text not null,
  balance bigint not null default 0,
  last_entry_no bigint not null default 0,
  primary key (account_id, purse),
  constraint wallets_purse_is_known check (purse in ('main', 'commission', 'sms_credits')),
  constraint wallets_balance_not_negative check (balance >= 0)
) with (fillfactor = 50);

-- The record. A row moves one amount of one unit between an account's purse and another purse of the
-- account or of the platform; the books balance by construction. A purse of the platform has no
-- balance row, so its entry number and balance are null.
create table transfers (
  cause_id uuid not null,
  kind text not null,
  account_id uuid not null,
  from_purse text not null,
  to_purse text not null,
  amount bigint not null,
  from_entry_no bigint,
  to_entry_no bigint,
  from_balance_after bigint,
  to_balance_after bigint,
  transaction_id xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default clock_timestamp(),
  note text,
  constraint transfers_once_per_cause_and_kind primary key (cause_id, kind),
  constraint transfers_amount_is_positive check (amount > 0),
  constraint transfers_move_between_two_purses check (from_purse <> to_purse),
  constraint transfers_from_entry_has_balance check ((from_entry_no is null) = (from_balance_after is null)),
  constraint transfers_to_entry_has_balance check ((to_entry_no is null) = (to_balance_after is null)),
  constraint transfers_touch_a_wallet check (from_entry_no is not null or to_entry_no is not null)
);
create unique index transfers_one_per_outgoing_entry on transfers (account_id, from_purse, from_entry_no) where from_entry_no is not null;
create unique index transfers_one_per_incoming_entry on transfers (account_id, to_purse, to_entry_no) where to_entry_no is not null;

create trigger transfers_are_append_only before update or delete or truncate on transfers
  for each statement execute function refuse_to_change_history();

-- A credit or an adjustment made by hand, once per external id.
create table wallet_credits (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  purse text not null,
  external_id text,
  amount bigint not null,
  note text,
  actor text not null,
  created_at timestamptz not null default now(),
  constraint wallet_credits_once_per_external_id unique (external_id),
  constraint wallet_credits_amount_is_positive check (amount > 0)
);

-- Where the running audit left off: the wallet as it was proven at `entry_no`.
create table wallet_checkpoints (
  account_id uuid not null,
  purse text not null,
  entry_no bigint not null,
  balance bigint not null,
  proven_at timestamptz not null default now(),
  primary key (account_id, purse)
);

grant select, insert, update on wallets to makola_app;
grant select, insert on transfers, wallet_credits to makola_app;
grant select, insert, update on wallet_checkpoints to makola_app;
