-- What genuine callbacks say about our attempts is kept, and their orders are made due, in one call. Each statement of
-- the body sees what was committed before it began. One array per column of the callbacks, an element for each of them.
--
-- `known` holds the places, from 1 on, of the callbacks whose reference is that of an attempt. `ends` holds the attempts
-- of which a callback that was not kept before says how they ended, unless their order is open on them and they have no
-- end yet, with what is known of that end: the caller judges whether the callback denies it.
create function note_callbacks(
  suppliers text[],
  outgoing_references text[],
  answers text[],
  evidences text[],
  supplier_references text[],
  reported_costs bigint[],
  reported_commissions bigint[],
  account_names text[],
  out known integer[],
  out ends json
) language plpgsql
-- As `begin_attempts`: found by their keys, whatever the planner thinks of the size of a table.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  -- One element for each callback of an attempt of ours.
  told_attempts uuid[];
  told_orders uuid[];
  told_news boolean[];
  -- One element for each verdict that was not kept before.
  verdict_attempts uuid[];
  verdict_answers text[];
  verdict_evidences text[];
  open_attempts uuid[];
begin
  -- If the same callback comes twice at once, the second one waits here and then finds what the first one kept.
  perform pg_advisory_xact_lock(key)
  from (
    select distinct hashtextextended('callback ' || said.supplier || ' ' || said.reference, 0) as key
    from unnest(suppliers, outgoing_references) as said (supplier, reference)
    order by key
  ) as keys;

  with told as materialized (
    select said.*, attempts.id as attempt_id, attempts.order_id,
      not (said.answer = 'accepted' and attempts.outcome is not distinct from 'accepted') as is_news
    from unnest(suppliers, outgoing_references, answers, evidences, supplier_references, reported_costs,
        reported_commissions, account_names) with ordinality
      as said (supplier, outgoing_reference, answer, evidence, supplier_reference, reported_cost, reported_commission,
        account_name, place)
    join attempts on attempts.supplier = said.supplier and attempts.outgoing_reference = said.outgoing_reference
  ), kept as (
    insert into attempt_answers (
      attempt_id, source, answer, evidence, supplier_reference, reported_cost, reported_commission, account_name)
    select distinct on (attempt_id, answer, evidence)
      attempt_id, 'callback', answer, evidence, supplier_reference, reported_cost, reported_commission, account_name
    from told
    where not exists (
      select from attempt_answers as before
      where before.attempt_id = told.attempt_id and before.source = 'callback'
        and before.answer = told.answer and before.evidence = told.evidence)
    order by attempt_id, answer, evidence, place desc
    returning attempt_id, answer, evidence
  ), verdicts as (
    select array_agg(attempt_id) as attempt_ids, array_agg(answer) as answers, array_agg(evidence) as evidences
    from kept where answer in ('delivered', 'failed')
  )
  select array_agg(place), array_agg(attempt_id), array_agg(order_id), array_agg(is_news),
    (select attempt_ids from verdicts), (select verdicts.answers from verdicts), (select verdicts.evidences from verdicts)
  into known, told_attempts, told_orders, told_news, verdict_attempts, verdict_answers, verdict_evidences
  from told;

  -- The orders are made due, so that a worker asks the supplier at once: only the supplier's answer decides. The rows of
  -- the schedule are locked in the same order as everywhere else. A row that is due already is not changed.
  select array_agg(locked.attempt_id) into open_attempts
  from (
    select open_orders.attempt_id
    from open_orders
    join (
      select distinct order_id, attempt_id from unnest(told_orders, told_attempts, told_news) as told (order_id, attempt_id, is_news)
      where is_news
    ) as news on news.order_id = open_orders.order_id and news.attempt_id = open_orders.attempt_id
    order by open_orders.order_id
    for update of open_orders
  ) as locked;

  update open_orders set next_step_at = clock_timestamp()
  where order_id = any(told_orders) and attempt_id = any(open_attempts) and next_step_at > clock_timestamp();

  -- An order may have ended while we waited for the lock on its row, so this is read after it. An order that is still
  -- open cannot end before this transaction does; whoever ends it afterwards sees what was kept here.
  select json_agg(json_build_object(
    'attemptId', attempts.id, 'orderId', attempts.order_id, 'supplier', attempts.supplier, 'outcome', attempts.outcome,
    'status', orders.status, 'reference', orders.reference, 'answer', verdict.answer, 'evidence', verdict.evidence))
  into ends
  from unnest(verdict_attempts, verdict_answers, verdict_evidences) as verdict (attempt_id, answer, evidence)
  join attempts on attempts.id = verdict.attempt_id
  join orders on orders.id = attempts.order_id
  where verdict.attempt_id <> all(coalesce(open_attempts, '{}')) or attempts.outcome not in ('accepted', 'unknown');
end $$;
