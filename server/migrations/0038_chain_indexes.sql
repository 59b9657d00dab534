-- outside a transaction
-- Where rows stand in their chains (0037), for sealing and verifying. BRIN: some bytes per megabyte of rows, and almost
-- no insert touches it, so that a purchase is no slower. Built while rows are written: nothing is locked against reading
-- or writing. A statement that was broken off is begun again from its start.

drop index concurrently if exists transfers_by_position;
create index concurrently transfers_by_position on transfers
  using brin (((era::bigint << 48) + coalesce(transaction_id::text::bigint, 0))) with (pages_per_range = 32, autosummarize = on);

drop index concurrently if exists order_events_by_position;
create index concurrently order_events_by_position on order_events
  using brin (((era::bigint << 48) + coalesce(transaction_id::text::bigint, 0))) with (pages_per_range = 32, autosummarize = on);

drop index concurrently if exists operator_log_by_position;
create index concurrently operator_log_by_position on operator_log
  using brin (((era::bigint << 48) + coalesce(transaction_id::text::bigint, 0))) with (pages_per_range = 32, autosummarize = on);
