-- `queued` is a state of birth only. Orders that a supplier had called unregistered went back to it; they were sent
-- before, so from here on they are seen as `processing` while their hold reason says what they wait for.
-- One that an older worker still moves back while it is being replaced goes forward from `queued` as any other.
with moved as (
  update orders set status = 'processing', updated_at = clock_timestamp()
  where status = 'queued' and id in (select order_id from open_orders where hold_reason = 'not_registered')
    and exists (select from attempts where attempts.order_id = orders.id)
  returning id
)
insert into order_events (order_id, from_status, to_status, reason, actor)
select id, 'queued', 'processing', 'it was sent before', 'migration' from moved;
