-- outside a transaction
-- The operator's list of orders and `makola find`: each filter has its index. Built while orders are placed: nothing is
-- locked against reading or writing. A statement that was broken off is begun again from its start.
-- Ids are made in the order of time, so an index that ends with the id is also one by age.

drop index concurrently if exists orders_of_a_recipient_by_age;
create index concurrently orders_of_a_recipient_by_age on orders (recipient, id);

-- Where an order is sent: its network, or the biller, which is the network of its routes. The rest have none.
drop index concurrently if exists orders_of_a_product_by_age;
create index concurrently orders_of_a_product_by_age on orders (kind, (coalesce(details ->> 'network', details ->> 'biller', '')), id);

drop index concurrently if exists attempts_of_a_supplier_by_age;
create index concurrently attempts_of_a_supplier_by_age on attempts (supplier, order_id);

-- An index of `orders` by status would make each of its updates touch all of its indexes. Most orders end as completed;
-- the moves into the rarer ends are written once and never changed.
drop index concurrently if exists order_events_of_rarer_ends;
create index concurrently order_events_of_rarer_ends on order_events (to_status, order_id)
  where to_status in ('failed', 'refunded', 'cancelled');
