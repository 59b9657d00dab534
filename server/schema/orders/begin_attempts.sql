-- Records that orders are about to be sent: the attempt with our reference and its send deadline, the move to `processing`, and
-- the attempt's place in the schedule. The time of the lease begins anew. `begun` holds the orders for which this was done; the
-- lease on the others was lost, and nothing was written for them.
create function begin_attempts(
  order_ids uuid[],
  lease_nos bigint[],
  attempt_nos integer[],
  supplier text,
  outgoing_references text[],
  expected_costs bigint[],
  send_seconds float8,
  lease_seconds float8,
  out clock timestamptz,
  out begun uuid[]
) language plpgsql
-- Makes the planner find rows by their keys. Otherwise, while a table is small or not analyzed, it may plan to read all of it. A
-- connection keeps its plans, so it would go on reading the whole table at every batch after the table has grown.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  moving bigint;
  moved bigint;
begin
  select array_agg(locked.order_id) into begun
  from (
    select open_orders.order_id
    from open_orders
    join unnest(order_ids, lease_nos) as lease (order_id, lease_no)
      on lease.order_id = open_orders.order_id and lease.lease_no = open_orders.lease_no
    where open_orders.attempt_no is null
    order by open_orders.order_id
    for update of open_orders
  ) as locked;
  if cardinality(begun) is distinct from cardinality(order_ids) then
    -- A lease was lost, which is rare. The columns are cut to the orders whose lease is still held.
    select array_agg(made.order_id), array_agg(made.attempt_no), array_agg(made.outgoing_reference),
      array_agg(made.expected_cost)
    into order_ids, attempt_nos, outgoing_references, expected_costs
    from unnest(order_ids, attempt_nos, outgoing_references, expected_costs)
      as made (order_id, attempt_no, outgoing_reference, expected_cost)
    where made.order_id = any(begun);
  end if;

  clock := clock_timestamp();

  insert into attempts (order_id, attempt_no, supplier, outgoing_reference, expected_cost, send_before, created_at)
  select made.order_id, made.attempt_no, begin_attempts.supplier, made.outgoing_reference, made.expected_cost,
    clock + make_interval(secs => send_seconds), clock
  from unnest(order_ids, attempt_nos, outgoing_references, expected_costs)
    as made (order_id, attempt_no, outgoing_reference, expected_cost);

  update open_orders
  set attempt_no = made.attempt_no, hold_reason = null, lease_until = clock + make_interval(secs => lease_seconds)
  from unnest(order_ids, attempt_nos) as made (order_id, attempt_no)
  where open_orders.order_id = made.order_id;

  -- `begun` is in the order of the ids. The bounds leave out the partitions of other months.
  select count(*) into moving from orders
  where id = any(begun) and id between begun[1] and begun[cardinality(begun)] and status <> 'processing';
  with moved as (
    update orders set status = 'processing', updated_at = clock_timestamp()
    where id = any(begun) and id between begun[1] and begun[cardinality(begun)] and status = 'pending'
    returning id
  )
  insert into order_events (order_id, from_status, to_status, reason, actor)
  select id, 'pending', 'processing', null, 'worker' from moved;
  get diagnostics moved = row_count;
  if moved <> moving then raise exception 'an order moved without the lease on it'; end if;
end $$;
