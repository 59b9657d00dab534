-- Gives leases back. Each parameter is a column with one element per order. Like every function of the schedule, it locks the
-- rows in the order of their ids, and changes only rows whose lease number is still the given one.
--
-- The lease number grows, so an answer under the old lease no longer fits. If a callback came during the lease and the attempt
-- goes on, the order is due at once, because that callback has not been used yet.
create function release_orders(
  order_ids uuid[],
  lease_nos bigint[],
  after_seconds float8[],
  hold_reasons text[],
  are_attempts_over boolean[],
  routes text[],
  are_our_mistakes boolean[],
  lease_seconds float8
) returns void language plpgsql
-- Finds rows by their keys, as in `begin_attempts`.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  -- The bounds of the orders, which leave out the partitions of other months.
  first_order uuid := (select id from unnest(order_ids) as id order by id limit 1);
  last_order uuid := (select id from unnest(order_ids) as id order by id desc limit 1);
begin
  perform from open_orders where order_id = any(order_ids) order by order_id for update;

  update open_orders
  set next_step_at = case
      when not release.is_attempt_over and exists (select from attempt_answers
        where attempt_answers.order_id = open_orders.order_id and attempt_answers.order_id between first_order and last_order
          and attempt_answers.attempt_no = open_orders.attempt_no and source = 'callback'
          and created_at >= open_orders.lease_until - make_interval(secs => lease_seconds))
      then clock_timestamp()
      else clock_timestamp() + make_interval(secs => release.after_seconds) end,
    hold_reason = release.hold_reason,
    attempt_no = case when release.is_attempt_over then null else open_orders.attempt_no end,
    is_question = not release.is_attempt_over and open_orders.attempt_no is not null,
    route = coalesce(release.route, open_orders.route),
    our_mistake_since = case when release.is_our_mistake then coalesce(open_orders.our_mistake_since, clock_timestamp())
      else open_orders.our_mistake_since end,
    lease_until = '-infinity',
    lease_no = open_orders.lease_no + 1
  from unnest(order_ids, lease_nos, after_seconds, hold_reasons, are_attempts_over, routes, are_our_mistakes)
    as release (order_id, lease_no, after_seconds, hold_reason, is_attempt_over, route, is_our_mistake)
  where open_orders.order_id = release.order_id and open_orders.lease_no = release.lease_no;
end $$;
