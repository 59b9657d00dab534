-- A batch finds its rows by their keys, whatever the planner thinks of the size of a table. While a table is small or has
-- grown since it was last analyzed, reading all of it looks cheap. A plan is kept for as long as its connection, so such a
-- plan would go on reading the whole table at every batch after it has grown.
--
-- A function that takes the place of one of these needs the same settings.
alter function release_orders
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off;
alter function begin_attempts
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off;
alter function settle_attempts
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off;
alter function note_callbacks
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off;
