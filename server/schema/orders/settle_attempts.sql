-- Commits suppliers' answers: the answers as evidence, the outcomes of the attempts, and each order's end or next step. `ends` is
-- the final status of each order; null where the order stays open. The caller has locked the wallets, and moves the money of
-- ended orders in the same transaction.
--
-- `held`: the positions, from 1 on, of the orders whose lease is still the caller's. Only these orders change; the answers of the
-- others are only stored. `denied`: the evidence of callbacks that contradict an end and came while the order was open. With
-- `is_alone` the call is a transaction of its own, which cannot write what a lost lease or such a callback would need. In these
-- cases it changes nothing and fails with the code MK001.
create function settle_attempts(
  order_ids uuid[],
  lease_nos bigint[],
  attempt_nos integer[],
  sources text[],
  answers text[],
  evidences bytea[],
  supplier_references text[],
  reported_costs bigint[],
  reported_commissions bigint[],
  account_names text[],
  outcomes text[],
  ends text[],
  actors text[],
  after_seconds float8[],
  hold_reasons text[],
  are_attempts_over boolean[],
  routes text[],
  are_our_mistakes boolean[],
  lease_seconds float8,
  is_alone boolean,
  out held integer[],
  out denied json
) language plpgsql
-- Finds rows by their keys, as in `begin_attempts`. Where there are many partitions, a look-up by key seems dear to the
-- planner: it would compare each order with every row between the first and the last. So each statement names the keys, and
-- joins by a hash.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_mergejoin = off set enable_material = off
as $$
declare
  -- For each order, true when the lease of the caller is still valid.
  are_held boolean[];
  ending bigint;
  moved bigint;
  -- The bounds of the orders, which leave out the partitions of other months.
  first_order uuid := (select id from unnest(order_ids) as id order by id limit 1);
  last_order uuid := (select id from unnest(order_ids) as id order by id desc limit 1);
begin
  select coalesce(array_agg(locked.place), '{}') into held
  from (
    select lease.place
    from open_orders
    join unnest(order_ids, lease_nos) with ordinality as lease (order_id, lease_no, place)
      on lease.order_id = open_orders.order_id and lease.lease_no = open_orders.lease_no
    where open_orders.order_id = any(order_ids)
    order by open_orders.order_id
    for update of open_orders
  ) as locked;
  if is_alone and cardinality(held) < cardinality(order_ids) then
    raise exception 'a lease was lost' using errcode = 'MK001';
  end if;
  are_held := array_fill(cardinality(held) = cardinality(order_ids), array[cardinality(order_ids)]);
  if cardinality(held) < cardinality(order_ids) then
    select array_agg(lease.place = any(held) order by lease.place) into are_held
    from unnest(order_ids) with ordinality as lease (order_id, place);
  end if;

  -- Answers of callbacks are left out, because they were stored when they came.
  insert into attempt_answers (
    order_id, attempt_no, source, answer, evidence, supplier_reference, reported_cost, reported_commission, account_name)
  select *
  from unnest(order_ids, attempt_nos, sources, answers, evidences, supplier_references, reported_costs, reported_commissions,
    account_names) as given (order_id, attempt_no, source)
  where given.source <> 'callback';

  -- A look-up is counted together with its answer. A re-send was counted before it was sent, because it may take effect.
  update attempts
  set outcome = given.outcome, answered_at = clock_timestamp(),
    supplier_reference = coalesce(attempts.supplier_reference, given.supplier_reference),
    asks = attempts.asks + case when given.source = 'status' then 1 else 0 end
  from unnest(order_ids, attempt_nos, sources, outcomes, supplier_references, are_held)
    as given (order_id, attempt_no, source, outcome, supplier_reference, is_held)
  where attempts.order_id = given.order_id and attempts.order_id = any(order_ids) and attempts.order_id between first_order and last_order
    and attempts.attempt_no = given.attempt_no and given.is_held;

  select count(*) into ending
  from unnest(ends, are_held) as order_end (status, is_held)
  where order_end.status is not null and order_end.is_held;
  if ending > 0 then
    with moved as (
      update orders set status = order_end.status, updated_at = clock_timestamp()
      from unnest(order_ids, ends, outcomes, actors, are_held) as order_end (order_id, status, outcome, actor, is_held)
      where orders.id = order_end.order_id and orders.id = any(order_ids) and orders.id between first_order and last_order
        and orders.status = 'processing' and order_end.status is not null and order_end.is_held
      returning orders.id, order_end.status, order_end.outcome, order_end.actor
    )
    insert into order_events (order_id, from_status, to_status, reason, actor)
    select id, 'processing', moved.status, moved.outcome, moved.actor from moved;
    get diagnostics moved = row_count;
    if moved <> ending then raise exception 'an open order was not in processing when its answer came'; end if;

    with closed as (
      delete from open_orders
      using unnest(order_ids, ends, are_held) as order_end (order_id, status, is_held)
      where open_orders.order_id = order_end.order_id and open_orders.order_id = any(order_ids) and order_end.status is not null and order_end.is_held
      returning open_orders.order_id, open_orders.attempt_no, case order_end.status when 'completed' then 'failed' else 'delivered' end as contrary
    )
    select json_agg(json_build_object('orderId', callback.order_id, 'evidenceHex', encode(callback.evidence, 'hex'))) into denied
    from closed
    cross join lateral (
      select answer.order_id, answer.evidence from attempt_answers as answer
      where answer.order_id = closed.order_id and answer.order_id between first_order and last_order
        and answer.attempt_no = closed.attempt_no and answer.source = 'callback' and answer.answer = closed.contrary
      -- Looks up each order, and not all between the bounds.
      offset 0
    ) as callback;
    if is_alone and denied is not null then
      raise exception 'a callback denied an end' using errcode = 'MK001';
    end if;
  end if;

  if ending < cardinality(held) then
    perform release_orders(array_agg(step.order_id), array_agg(step.lease_no), array_agg(step.after_seconds),
      array_agg(step.hold_reason), array_agg(step.is_attempt_over), array_agg(step.route), array_agg(step.is_our_mistake),
      lease_seconds)
    from unnest(order_ids, lease_nos, ends, after_seconds, hold_reasons, are_attempts_over, routes, are_our_mistakes, are_held)
      as step (order_id, lease_no, status, after_seconds, hold_reason, is_attempt_over, route, is_our_mistake, is_held)
    where step.status is null and step.is_held;
  end if;
end $$;
