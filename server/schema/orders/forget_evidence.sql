-- Forgets what suppliers answered about ended orders, once it is old enough by the setting `evidence_days`, and never within 30
-- days. It runs with the owner's rights, because answers are history: their meaning, their references and their costs stay.
-- Returns the number of ended orders that were old enough.
create function forget_evidence(order_ids uuid[]) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- Between these bounds PostgreSQL sees which partitions it need not read.
  first_id uuid := (select each from unnest(order_ids) as each order by each limit 1);
  last_id uuid := (select each from unnest(order_ids) as each order by each desc limit 1);
  due_before timestamptz := clock_timestamp() - make_interval(days => greatest(30, coalesce(
    (select (value #>> '{}')::integer from settings where name = 'evidence_days'), 180)));
  -- The orders are locked first and by their ids, as forget_orders does it, so that the two do not wait for each other's answers.
  due uuid[] := array(
    select id from orders
    where id = any (order_ids) and id between first_id and last_id and created_at < due_before
      and not exists (select from open_orders where order_id = orders.id)
    order by id for update);
begin
  update attempt_answers set evidence = 'forgotten'
  where order_id = any (due) and order_id between first_id and last_id and evidence <> 'forgotten';
  update contradictions set evidence = 'forgotten' where order_id = any (due) and evidence <> 'forgotten';
  return cardinality(due);
end $$;
revoke all on function forget_evidence(uuid[]) from public;
grant execute on function forget_evidence(uuid[]) to makola_app;
