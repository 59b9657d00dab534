create table wallets (
  account_id uuid not null,
  purse text not null,
  balance bigint not null default 0,
  last_entry_no bigint not null default 0,
  primary key (account_id, purse),
  constraint wallets_purse_is_known check (purse in ('main', 'commission', 'sms_credits')),
  constraint wallets_balance_not_negative check (balance >= 0)
) with (fillfactor = 50);
comment on table wallets is
  'The balance of one purse of an account: whole pesewas, or whole credits in `sms_credits`. The table is small and updated
often, so it has no other index and no foreign key that an update would have to touch.
Grows: a row per account and purse that was ever used.';
grant select, insert, update on wallets to makola_app;

create table transfers (
  cause_id uuid not null,
  account_id uuid not null,
  amount bigint not null,
  from_entry_no bigint,
  to_entry_no bigint,
  from_balance_after bigint,
  to_balance_after bigint,
  transaction_id xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default clock_timestamp(),
  era smallint not null default 0,
  kind text not null,
  from_purse text not null,
  to_purse text not null,
  note text,
  constraint transfers_once_per_cause_and_kind primary key (cause_id, kind),
  constraint transfers_amount_is_positive check (amount > 0),
  constraint transfers_move_between_two_purses check (from_purse <> to_purse),
  constraint transfers_from_entry_has_balance check ((from_entry_no is null) = (from_balance_after is null)),
  constraint transfers_to_entry_has_balance check ((to_entry_no is null) = (to_balance_after is null)),
  constraint transfers_touch_a_wallet check (from_entry_no is not null or to_entry_no is not null)
) partition by range (cause_id);
insert into partitioned_tables values ('transfers', 'fillfactor = 100', true);
comment on table transfers is
  'The record of all money. A row moves one amount of one unit between an account''s purse and another purse of the account or
of the platform; the books balance by construction. A purse of the platform has no balance row, so its entry number and
balance are null. Never changed, and sealed in a chain.
Grows: one row per order, refund, credit or commission, for ever, partitioned by the month of the cause: the largest table.';
comment on column transfers.era is 'See `operator_log.era`.';

create index transfers_by_outgoing_entry
  on transfers (account_id, from_purse, from_entry_no) where from_entry_no is not null;
comment on index transfers_by_outgoing_entry is
  'Serves the statement and the audit of a wallet. Entries have no number twice because each number is taken under the lock of
the wallet; the audit counts them.';

create index transfers_by_incoming_entry
  on transfers (account_id, to_purse, to_entry_no) where to_entry_no is not null;
comment on index transfers_by_incoming_entry is 'See `transfers_by_outgoing_entry`; for incoming transfers.';

create index transfers_by_time on transfers
  using brin (created_at) with (pages_per_range = 32, autosummarize = on);
comment on index transfers_by_time is
  'Serves reports: the newest transfers, or those of one day. Rows are stored in the order of time, so a BRIN index of a few
bytes per block is enough, and costs writers nothing.';

create index transfers_by_position on transfers
  using brin (((era::bigint << 48) + transaction_id::text::bigint)) with (pages_per_range = 32, autosummarize = on);
comment on index transfers_by_position is
  'Serves sealing and verifying the chain. A BRIN index, which does not slow down purchases.';

create trigger transfers_are_append_only before update or delete or truncate on transfers
  for each statement execute function refuse_to_change_history();
grant select, insert on transfers to makola_app;

create table wallet_credits (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  purse text not null,
  external_id text,
  amount bigint not null,
  note text,
  actor text not null,
  created_at timestamptz not null default now(),
  approval_id uuid references approvals (id),
  one_person_limit bigint,
  os_user text,
  page_reference text,
  constraint wallet_credits_once_per_external_id unique (external_id),
  constraint wallet_credits_amount_is_positive check (amount > 0),
  constraint wallet_credits_once_per_page unique (page_reference)
);
comment on table wallet_credits is
  'A credit that the operator made by hand, once per external id.
Grows: a row per credit, for ever.';
comment on column wallet_credits.external_id is
  'The number of the receipt or of the payment. Another page with the same number is refused.';
comment on column wallet_credits.approval_id is 'Null: one person credited alone.';
comment on column wallet_credits.one_person_limit is 'The limit of one person at the time of the credit.';
comment on column wallet_credits.os_user is
  'The user of the operating system, or the sign-in at the desk, of the person who credited alone. The limit of one person
adds up what the same user credited under several names.';
comment on column wallet_credits.page_reference is
  'The reference that a page of the desk made. A repeated request of the same page gets the first answer.';

create index wallet_credits_of_an_account on wallet_credits (account_id, id);
comment on index wallet_credits_of_an_account is 'Serves the credits of one account, for a correction.';

create index wallet_credits_of_one_person on wallet_credits (created_at) where approval_id is null;
comment on index wallet_credits_of_one_person is 'Serves the limit of one person: the latest credits that people made alone.';

create index wallet_credits_by_amount on wallet_credits (amount, id);
comment on index wallet_credits_by_amount is
  'Serves `makola find` with an amount. Purchases have no such index: each of them would write it.';

create trigger wallet_credits_are_append_only before update or delete or truncate on wallet_credits
  for each statement execute function refuse_to_change_history();
grant select, insert on wallet_credits to makola_app;

create table wallet_checkpoints (
  account_id uuid not null,
  purse text not null,
  entry_no bigint not null,
  balance bigint not null,
  keyed_hash bytea not null,
  proven_at timestamptz not null default now(),
  primary key (account_id, purse)
);
comment on table wallet_checkpoints is
  'The point up to which audits have proven a wallet: its state at `entry_no`. The next audit begins there.
Grows: a row per wallet.';
comment on column wallet_checkpoints.keyed_hash is
  'The hash of the row under the secrets key. A row with another hash counts for nothing: the audit begins with the first entry.';
grant select, insert, update on wallet_checkpoints to makola_app;

create table audit_proof (
  only_row boolean primary key default true,
  proven_at timestamptz not null,
  everything_at timestamptz not null,
  blocks jsonb not null,
  keyed_hash bytea not null,
  constraint audit_proof_has_one_row check (only_row)
);
comment on table audit_proof is
  'The last time at which an audit, with those before it, had found every rule kept. The next audit looks at what is new since.
Grows: one row at most.';
comment on column audit_proof.everything_at is 'When the last audit of everything began. In the first night of a month there is another one.';
comment on column audit_proof.blocks is 'The newest block of each chain at that time, with its hash.';
comment on column audit_proof.keyed_hash is 'See `wallet_checkpoints.keyed_hash`.';
grant select, insert, update, delete on audit_proof to makola_app;

create table put_away_wallets (
  month date,
  account_id uuid,
  purse text,
  opening_no bigint not null,
  opening_balance bigint not null,
  closing_no bigint not null,
  closing_balance bigint not null,
  primary key (account_id, purse, month)
);
comment on table put_away_wallets is
  'The entries of a wallet that are put away with a month lie after `opening_no`, up to `closing_no`. Between the two some may be
missing; all others are there.
Grows: a row per month that is put away and wallet that bought in it.';
comment on column put_away_wallets.closing_balance is 'The balance of the wallet after the entry `closing_no`.';
grant select on put_away_wallets to makola_app;

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
comment on table wallet_corrections is
  'Money or credits that two people took back. The id is also that of the approval, and the cause of the transfer.
Grows: a row per correction, for ever.';

create index wallet_corrections_of_a_credit on wallet_corrections (credit_id) where credit_id is not null;
comment on index wallet_corrections_of_a_credit is
  'Serves the corrections of one credit, which together must not take back more than the credit.';

create trigger wallet_corrections_are_append_only before update or delete or truncate on wallet_corrections
  for each statement execute function refuse_to_change_history();
grant select, insert on wallet_corrections to makola_app;
