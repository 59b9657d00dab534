-- outside a transaction
-- Reports look for what was written lately, and for what was written on one day. Both tables are only added to, so their
-- rows lie in the order of time: an index of the times per block takes next to no room and costs writers nothing. Built
-- while orders are placed: nothing is locked against reading or writing. A statement that was broken off is begun again.

drop index concurrently if exists transfers_by_time;
create index concurrently transfers_by_time on transfers
  using brin (created_at) with (pages_per_range = 32, autosummarize = on);

drop index concurrently if exists order_events_by_time;
create index concurrently order_events_by_time on order_events
  using brin (created_at) with (pages_per_range = 32, autosummarize = on);
