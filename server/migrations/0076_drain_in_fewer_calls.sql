-- What the worker writes about orders that it holds under a lease, in one call each. Each statement of a body sees what
-- was committed before it began. One array per column, an element for each order; every function locks the rows of the
-- schedule in the order of their ids, as everywhere, and changes only those that still have the lease's number.

-- Whether the next step is a question. It is written together with the time of the next step, and so changes less often
-- than `attempt_id`, which says the same to the moment: an order whose worker died between the two stands among those to
-- be sent, at their head, because its step was due before theirs.
alter table open_orders add column is_question boolean not null default false;

-- Gives leases back. The lease number grows, so an answer under the old lease no longer fits. If a callback came during
-- the lease, the order is due at once, because that callback has not been used yet.
create function release_orders(
  order_ids uuid[],
  lease_nos bigint[],
  after_seconds float8[],
  hold_reasons text[],
  are_attempts_over boolean[],
  routes text[],
  are_our_mistakes boolean[],
  lease_seconds float8
) returns void language plpgsql as $$
begin
  perform from open_orders where order_id = any(order_ids) order by order_id for update;

  update open_orders
  set next_step_at = case
      when not release.is_attempt_over and exists (select from attempt_answers
        where attempt_answers.attempt_id = open_orders.attempt_id and source = 'callback'
          and created_at >= open_orders.lease_until - make_interval(secs => lease_seconds))
      then clock_timestamp()
      else clock_timestamp() + make_interval(secs => release.after_seconds) end,
    hold_reason = release.hold_reason,
    attempt_id = case when release.is_attempt_over then null else open_orders.attempt_id end,
    is_question = not release.is_attempt_over and open_orders.attempt_id is not null,
    route = coalesce(release.route, open_orders.route),
    our_mistake_since = case when release.is_our_mistake then coalesce(open_orders.our_mistake_since, clock_timestamp())
      else open_orders.our_mistake_since end,
    lease_until = '-infinity',
    lease_no = open_orders.lease_no + 1
  from unnest(order_ids, lease_nos, after_seconds, hold_reasons, are_attempts_over, routes, are_our_mistakes)
    as release (order_id, lease_no, after_seconds, hold_reason, is_attempt_over, route, is_our_mistake)
  where open_orders.order_id = release.order_id and open_orders.lease_no = release.lease_no;
end $$;

-- Records that orders are about to be sent: the attempt with our reference and its deadline, the move to `processing`,
-- and the attempt's place in the schedule. The lease counts from here again. Answers the orders for which that was done;
-- the lease on the others was lost, and nothing was written for them.
create function begin_attempts(
  attempt_ids uuid[],
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
) language plpgsql as $$
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
    where open_orders.attempt_id is null
    order by open_orders.order_id
    for update of open_orders
  ) as locked;
  if cardinality(begun) is distinct from cardinality(order_ids) then
    -- A lease was lost, which is rare: what is left of the columns are the orders that are still held.
    select array_agg(made.id), array_agg(made.order_id), array_agg(made.attempt_no), array_agg(made.outgoing_reference),
      array_agg(made.expected_cost)
    into attempt_ids, order_ids, attempt_nos, outgoing_references, expected_costs
    from unnest(attempt_ids, order_ids, attempt_nos, outgoing_references, expected_costs)
      as made (id, order_id, attempt_no, outgoing_reference, expected_cost)
    where made.order_id = any(begun);
  end if;

  clock := clock_timestamp();

  insert into attempts (id, order_id, attempt_no, supplier, outgoing_reference, expected_cost, send_before, created_at)
  select made.id, made.order_id, made.attempt_no, begin_attempts.supplier, made.outgoing_reference, made.expected_cost,
    clock + make_interval(secs => send_seconds), clock
  from unnest(attempt_ids, order_ids, attempt_nos, outgoing_references, expected_costs)
    as made (id, order_id, attempt_no, outgoing_reference, expected_cost);

  update open_orders
  set attempt_id = made.id, hold_reason = null, lease_until = clock + make_interval(secs => lease_seconds)
  from unnest(attempt_ids, order_ids) as made (id, order_id)
  where open_orders.order_id = made.order_id;

  select count(*) into moving from orders where id = any(begun) and status <> 'processing';
  with moved as (
    update orders set status = 'processing', updated_at = clock_timestamp()
    where id = any(begun) and status = 'pending'
    returning id
  )
  insert into order_events (order_id, from_status, to_status, reason, actor)
  select id, 'pending', 'processing', null, 'worker' from moved;
  get diagnostics moved = row_count;
  if moved <> moving then raise exception 'an order moved without the lease on it'; end if;
end $$;

-- Commits suppliers' answers: the answers as evidence, the outcomes of the attempts, and each order's end or next step.
-- `ends` says how an order ends; null where it stays open. Money that an end moves is moved by the caller, in the same
-- transaction, which has locked the wallets before.
--
-- `held` holds the places, from 1 on, of the orders whose lease is still the caller's: only these change, the answers of
-- the others are kept. `denied` holds what callbacks said against an end while the order was open. With `is_alone` the
-- call is a transaction of its own, which has no room for what comes of a lost lease or of such a callback: it then
-- changes nothing and fails with the code MK001.
create function settle_attempts(
  order_ids uuid[],
  lease_nos bigint[],
  attempt_ids uuid[],
  sources text[],
  answers text[],
  evidences text[],
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
) language plpgsql as $$
declare
  -- An element for each order: whether its lease is still the caller's.
  are_held boolean[];
  ending bigint;
  moved bigint;
begin
  select coalesce(array_agg(locked.place), '{}') into held
  from (
    select lease.place
    from open_orders
    join unnest(order_ids, lease_nos) with ordinality as lease (order_id, lease_no, place)
      on lease.order_id = open_orders.order_id and lease.lease_no = open_orders.lease_no
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

  -- Callbacks are left out: they were stored when they came.
  insert into attempt_answers (
    attempt_id, source, answer, evidence, supplier_reference, reported_cost, reported_commission, account_name)
  select *
  from unnest(attempt_ids, sources, answers, evidences, supplier_references, reported_costs, reported_commissions, account_names)
    as said (attempt_id, source)
  where said.source <> 'callback';

  -- A look-up is counted with its answer; a question that may take effect was counted before it was asked.
  update attempts
  set outcome = said.outcome, answered_at = clock_timestamp(),
    supplier_reference = coalesce(attempts.supplier_reference, said.supplier_reference),
    asks = attempts.asks + case when said.source = 'status' then 1 else 0 end
  from unnest(attempt_ids, sources, outcomes, supplier_references, are_held)
    as said (attempt_id, source, outcome, supplier_reference, is_held)
  where attempts.id = said.attempt_id and said.is_held;

  select count(*) into ending
  from unnest(ends, are_held) as order_end (status, is_held)
  where order_end.status is not null and order_end.is_held;
  if ending > 0 then
    with moved as (
      update orders set status = order_end.status, updated_at = clock_timestamp()
      from unnest(order_ids, ends, outcomes, actors, are_held) as order_end (order_id, status, outcome, actor, is_held)
      where orders.id = order_end.order_id and orders.status = 'processing' and order_end.status is not null and order_end.is_held
      returning orders.id, order_end.status, order_end.outcome, order_end.actor
    )
    insert into order_events (order_id, from_status, to_status, reason, actor)
    select id, 'processing', moved.status, moved.outcome, moved.actor from moved;
    get diagnostics moved = row_count;
    if moved <> ending then raise exception 'an open order was not in processing when its answer came'; end if;

    with closed as (
      delete from open_orders
      using unnest(order_ids, ends, are_held) as order_end (order_id, status, is_held)
      where open_orders.order_id = order_end.order_id and order_end.status is not null and order_end.is_held
      returning open_orders.attempt_id, case order_end.status when 'completed' then 'failed' else 'delivered' end as contrary
    )
    select json_agg(json_build_object('attemptId', told.attempt_id, 'evidence', told.evidence)) into denied
    from closed join attempt_answers as told on told.attempt_id = closed.attempt_id
    where told.source = 'callback' and told.answer = closed.contrary;
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
