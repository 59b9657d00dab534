-- A long queue of orders to be sent does not stand between the worker and the questions that are due.
create index open_orders_to_be_asked on open_orders (route, next_step_at) where attempt_id is not null;

-- An attempt is updated three times within a second or two, a place in the schedule as often. With a copy's room for
-- every row on its page, these updates touch no index.
alter table attempts set (fillfactor = 50);
alter table open_orders set (fillfactor = 50);
