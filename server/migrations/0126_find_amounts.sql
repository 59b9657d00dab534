-- outside a transaction
-- Money that people put in or move by hand is found by its amount. Purchases are not: an index on their amounts would be
-- written by each of them, and most amounts are those of thousands.

drop index concurrently if exists top_ups_by_amount;
create index concurrently top_ups_by_amount on top_ups (amount, id);

drop index concurrently if exists wallet_credits_by_amount;
create index concurrently wallet_credits_by_amount on wallet_credits (amount, id);

drop index concurrently if exists commission_moves_by_amount;
create index concurrently commission_moves_by_amount on commission_moves (amount, id);

-- An adjustment that takes money has an amount below 0.
drop index concurrently if exists approvals_by_amount;
create index concurrently approvals_by_amount on approvals ((request ->> 'amount'), id) where request ->> 'amount' is not null;
