-- Stores the answers of genuine callbacks about our attempts, and makes their orders due, in one call. Each statement of the body
-- sees everything that was committed before the statement began. Each parameter is a column with one element per callback.
--
-- `known`: the positions, from 1 on, of the callbacks whose reference is that of an attempt. `ends`: the new callbacks that
-- report an end, although the attempt has one already or its order does not wait for this attempt, each with the outcome of the
-- attempt and the status of the order. The caller decides whether a callback contradicts them.
create function note_callbacks(
  suppliers text[],
  outgoing_references text[],
  answers text[],
  evidences bytea[],
  supplier_references text[],
  reported_costs bigint[],
  reported_commissions bigint[],
  account_names text[],
  out known integer[],
  out ends json
) language plpgsql
-- Finds rows by their keys, as in `begin_attempts`.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  -- One element per callback about an attempt of ours.
  callback_orders uuid[];
  callback_attempts integer[];
  are_news boolean[];
  -- One element per `delivered` or `failed` that was not stored before.
  end_orders uuid[];
  end_attempts integer[];
  end_answers text[];
  end_evidences bytea[];
  -- The orders that wait for the attempt of a callback, and these attempts.
  waiting_orders uuid[];
  waiting_attempts integer[];
  -- The bounds of the orders that the references name, which leave out the partitions of other months.
  first_order uuid := (select id from unnest(outgoing_references) as reference, order_bound_of(reference, '0') as id
    where id is not null order by id limit 1);
  last_order uuid := (select id from unnest(outgoing_references) as reference, order_bound_of(reference, 'f') as id
    where id is not null order by id desc limit 1);
begin
  -- If the same callback comes twice at once, the second one waits here and then finds the row of the first.
  perform pg_advisory_xact_lock(key)
  from (
    select distinct hashtextextended('callback ' || given.supplier || ' ' || given.reference, 0) as key
    from unnest(suppliers, outgoing_references) as given (supplier, reference)
    order by key
  ) as keys;

  with callback as materialized (
    select given.*, attempts.order_id, attempts.attempt_no, attempts.supplier_reference as known_reference,
      not (given.answer = 'accepted' and attempts.outcome is not distinct from 'accepted') as is_news
    from unnest(suppliers, outgoing_references, answers, evidences, supplier_references, reported_costs,
        reported_commissions, account_names) with ordinality
      as given (supplier, outgoing_reference, answer, evidence, supplier_reference, reported_cost, reported_commission,
        account_name, place)
    cross join lateral (
      select attempts.order_id, attempts.attempt_no, attempts.outcome, attempts.supplier_reference from attempts
      where attempts.order_id between order_bound_of(given.outgoing_reference, '0') and order_bound_of(given.outgoing_reference, 'f')
        and attempts.order_id between first_order and last_order
        and attempts.supplier = given.supplier and attempts.outgoing_reference = given.outgoing_reference
      -- Looks up each callback in the partition of its order. A join may read all partitions, or all rows between the bounds.
      offset 0
    ) as attempts
  ), kept as (
    insert into attempt_answers (
      order_id, attempt_no, source, answer, evidence, supplier_reference, reported_cost, reported_commission, account_name)
    select distinct on (order_id, attempt_no, answer, evidence)
      order_id, attempt_no, 'callback', answer, evidence, nullif(supplier_reference, known_reference), reported_cost,
      reported_commission, account_name
    from callback
    where not exists (
      select from attempt_answers as before
      where before.order_id = callback.order_id and before.order_id between first_order and last_order
        and before.attempt_no = callback.attempt_no and before.source = 'callback'
        and before.answer = callback.answer and before.evidence = callback.evidence
      offset 0)
    order by order_id, attempt_no, answer, evidence, place desc
    returning order_id, attempt_no, answer, evidence
  ), reported_ends as (
    select array_agg(order_id) as order_ids, array_agg(attempt_no) as attempt_nos, array_agg(answer) as answers,
      array_agg(evidence) as evidences
    from kept where answer in ('delivered', 'failed')
  )
  select array_agg(place), array_agg(order_id), array_agg(attempt_no), array_agg(is_news),
    (select order_ids from reported_ends), (select attempt_nos from reported_ends),
    (select reported_ends.answers from reported_ends), (select reported_ends.evidences from reported_ends)
  into known, callback_orders, callback_attempts, are_news, end_orders, end_attempts, end_answers, end_evidences
  from callback;

  -- The orders are made due, so that a worker asks the supplier at once, because only the supplier's answer decides. Rows of the
  -- schedule are locked in the same order as everywhere else. A row that is due already is not changed.
  select array_agg(locked.order_id), array_agg(locked.attempt_no) into waiting_orders, waiting_attempts
  from (
    select open_orders.order_id, open_orders.attempt_no
    from open_orders
    join (
      select distinct order_id, attempt_no from unnest(callback_orders, callback_attempts, are_news) as callback (order_id, attempt_no, is_news)
      where is_news
    ) as news on news.order_id = open_orders.order_id and news.attempt_no = open_orders.attempt_no
    order by open_orders.order_id
    for update of open_orders
  ) as locked;

  update open_orders set next_step_at = clock_timestamp()
  where order_id = any(waiting_orders) and next_step_at > clock_timestamp();

  -- An order may have ended while this transaction waited for the lock on its row, so its state is read after the lock. An order
  -- that is still open cannot end before this transaction does, and the transaction that ends it sees the rows written here.
  if end_orders is null then return; end if;
  select json_agg(json_build_object(
    'orderId', attempts.order_id, 'attemptNo', attempts.attempt_no, 'supplier', attempts.supplier, 'outcome', attempts.outcome,
    'status', orders.status, 'reference', orders.reference, 'answer', reported_end.answer, 'evidenceHex', encode(reported_end.evidence, 'hex')))
  into ends
  from unnest(end_orders, end_attempts, end_answers, end_evidences) as reported_end (order_id, attempt_no, answer, evidence)
  cross join lateral (
    select * from attempts
    where attempts.order_id = reported_end.order_id and attempts.order_id between first_order and last_order
      and attempts.attempt_no = reported_end.attempt_no
    offset 0
  ) as attempts
  cross join lateral (
    select * from orders where orders.id = attempts.order_id and orders.id between first_order and last_order offset 0
  ) as orders
  where attempts.outcome not in ('accepted', 'unknown') or not exists (
    select from unnest(waiting_orders, waiting_attempts) as waiting (order_id, attempt_no)
    where waiting.order_id = reported_end.order_id and waiting.attempt_no = reported_end.attempt_no);
end $$;
