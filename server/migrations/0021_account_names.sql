-- Who a supplier says the account belongs to that an order was paid for. Null where it named nobody. The rights to the
-- table hold for this column too.
alter table attempt_answers add column account_name text;
