-- The page's reference of a credit at the desk. The number of the receipt stands in `external_id`, and another page with
-- the same number is refused; the same page that asks again is answered as before.
alter table wallet_credits add column page_reference text;
alter table wallet_credits add constraint wallet_credits_once_per_page unique (page_reference);
