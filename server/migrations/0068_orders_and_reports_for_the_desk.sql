-- outside a transaction
-- The contradictions of an order, and the orders that have one, newest first.
create index concurrently if not exists contradictions_of_an_order on contradictions (order_id);

-- The reports that were answered, newest answer first.
create index concurrently if not exists order_reports_answered on order_reports (answered_at, order_id) where answered_at is not null;
