-- outside a transaction
-- What an order's life changes at every step stands in as few indexes as possible, so that most updates touch none.
-- Done while orders are placed and worked off: nothing is locked against reading or writing for longer than a moment. A
-- statement that was broken off is begun again from its start.

-- A long queue of orders to be sent does not stand between the worker and the questions that are due.
drop index concurrently if exists open_orders_by_next_step;
create index concurrently open_orders_by_next_step on open_orders (route, is_question, next_step_at);

update open_orders set is_question = true
from (select order_id from open_orders where attempt_id is not null and not is_question for update skip locked) as asked
where open_orders.order_id = asked.order_id;

drop index concurrently if exists open_orders_by_route_and_time;
drop index concurrently if exists open_orders_to_be_asked;

-- An order is updated twice, in the same second as its neighbours on the page: with a copy's room for every row of the
-- page these updates touch no index.
alter table orders set (fillfactor = 50);
