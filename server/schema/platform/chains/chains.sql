create table chain_era (
  only_row boolean primary key default true,
  era smallint not null default 0,
  constraint chain_era_has_one_row check (only_row),
  constraint chain_era_is_small check (era between 0 and 30)
);
comment on table chain_era is
  'The era of new rows of the chains. A dump that is restored into another server meets other transaction numbers there, so
`makola migrate` then begins a new era.
Grows: one row for ever.';
insert into chain_era default values;
grant select on chain_era to makola_app;

create table chain_blocks (
  chain text not null,
  block_no bigint not null,
  form smallint not null,
  after_position bigint not null,
  after_key jsonb,
  through_position bigint not null,
  through_key jsonb,
  row_count integer not null,
  rows_hash text not null,
  row_marks text not null,
  previous_hash text not null,
  hash text not null,
  sealed_at timestamptz not null,
  primary key (chain, block_no),
  constraint chain_blocks_count_from_one check (block_no > 0),
  constraint chain_blocks_are_not_empty check (row_count > 0)
);
comment on table chain_blocks is
  'A sealed range of rows of one chain, with the hash of the block before. A block holds the rows after (`after_position`,
`after_key`) up to (`through_position`, `through_key`), in that order. A position is a transaction in its era. A key is that
of a row in the transaction; null: all rows of the transaction. Rows are sealed once every transaction up to some number has
ended, so a late commit cannot add a row to a sealed range.
Grows: a block per chain and some thousand rows, for ever.';
comment on column chain_blocks.row_marks is
  'One line per row: its key and the first 16 digits of its hash. A changed row is found by its line.';

create trigger chain_blocks_are_append_only before update or delete or truncate on chain_blocks
  for each statement execute function refuse_to_change_history();
grant select, insert on chain_blocks to makola_app;

create table chain_states (
  chain text primary key,
  sealed_through_at timestamptz not null default now(),
  mark_position bigint not null,
  mark_at timestamptz not null
);
comment on table chain_states is
  'The progress of a chain: all rows written before `sealed_through_at` are sealed.
Grows: one row per chain.';
comment on column chain_states.mark_position is
  'The next position at the time `mark_at`. Once all positions below it are sealed, everything written until `mark_at` is.';
insert into chain_states (chain, mark_position, mark_at)
select chain, pg_current_xact_id()::text::bigint, now() from unnest(array['operator_log', 'transfers', 'order_events']) as chain;
grant select, update on chain_states to makola_app;

create table chain_heads_sent (
  channel text primary key,
  sent_at timestamptz not null
);
comment on table chain_heads_sent is
  'The time at which the heads of the chains were last sent over an alert channel.
Grows: one row per channel.';
grant select, insert, update on chain_heads_sent to makola_app;
