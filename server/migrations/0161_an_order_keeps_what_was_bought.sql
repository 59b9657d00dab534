-- The processes may move an order, an attempt and a message on. They may not change what was bought, for whom and at
-- which price, nor whom a supplier was asked to serve.
revoke update on orders, attempts, sms_messages from makola_app;
grant update (status, updated_at) on orders to makola_app;
grant update (outcome, answered_at, supplier_reference, asks, send_before) on attempts to makola_app;
grant update (status, submit, refused_by, supplier, claimed_at, reason, status_updated_at, may_have_arrived) on sms_messages
  to makola_app;
