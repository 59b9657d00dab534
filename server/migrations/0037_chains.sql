-- The operator's log, the transfers and the events of orders are sealed in blocks, each with the hash of the one
-- before. Rows are sealed in the order of their transactions, once every transaction up to some number has ended:
-- nothing that commits late can fall into a sealed range. Transfers know their transaction already.
--
-- Safe while older processes work: no row is rewritten, so each table is locked for a moment only. Older rows have no
-- transaction and stand before all others; older processes name their columns and get the defaults.
alter table operator_log add column transaction_id xid8;
alter table operator_log alter column transaction_id set default pg_current_xact_id();
alter table order_events add column if not exists transaction_id xid8;
alter table order_events alter column transaction_id set default pg_current_xact_id();

-- A dump that is restored into another server meets smaller numbers of transactions there. `makola migrate` then begins
-- a new era, by another default of these columns: the place of a row is its era, then its transaction.
alter table operator_log add column era smallint not null default 0;
alter table transfers add column era smallint not null default 0;
alter table order_events add column era smallint not null default 0;
create table chain_era (
  only_row boolean primary key default true,
  era smallint not null default 0,
  constraint chain_era_has_one_row check (only_row),
  constraint chain_era_is_small check (era between 0 and 30)
);
insert into chain_era default values;
grant select on chain_era to makola_app;

-- A block holds the rows after (after_position, after_key) up to (through_position, through_key), in that order. A
-- position is a transaction in its era; a key is that of a row within it, and null for all of its rows. `row_marks` has a line
-- per row, its key and the first 16 digits of its hash, by which the row that was changed is found.
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
create trigger chain_blocks_are_append_only before update or delete or truncate on chain_blocks
  for each statement execute function refuse_to_change_history();
grant select, insert on chain_blocks to makola_app;

-- How far each chain is: what was written before `sealed_through_at` is sealed. `mark_position` was the next position
-- at `mark_at`: once all below it are sealed, so is all that was written until then.
create table chain_states (
  chain text primary key,
  sealed_through_at timestamptz not null default now(),
  mark_position bigint not null,
  mark_at timestamptz not null
);
insert into chain_states (chain, mark_position, mark_at)
select chain, pg_current_xact_id()::text::bigint, now() from unnest(array['operator_log', 'transfers', 'order_events']) as chain;
grant select, update on chain_states to makola_app;
