-- outside a transaction
-- The desk finds accounts by any part of a name, an e-mail or a number. An index over these parts needs no extension,
-- which the role of a hosted database may not be allowed to install. None of these tables is written by a purchase.

-- The parts of a text by which it is found: every three characters in a row. A word begins after a blank, so a text that
-- begins with one is also found by two characters with which a word begins. The cost says that reading an index is cheaper
-- than calling this for each row.
create or replace function search_parts(words text) returns text[]
language sql immutable strict parallel safe cost 10000 as $$
  select array(select substr(words, place, 3) from generate_series(1, length(words) - 2) as place)
$$;

drop index concurrently if exists accounts_by_parts;
create index concurrently accounts_by_parts on accounts using gin (search_parts(' ' || lower(name || ' ' || email)));

drop index concurrently if exists persons_by_parts;
create index concurrently persons_by_parts on persons using gin (search_parts(' ' || lower(name || ' ' || email)));

drop index concurrently if exists business_requests_by_parts;
create index concurrently business_requests_by_parts on business_requests using gin (search_parts(' ' || lower(name)));

drop index concurrently if exists account_notice_settings_by_parts;
create index concurrently account_notice_settings_by_parts on account_notice_settings using gin (search_parts(phone));

drop index concurrently if exists api_keys_of_an_account;
create index concurrently api_keys_of_an_account on api_keys (account_id, id);

-- The credits of one account, for whoever corrects one.
drop index concurrently if exists wallet_credits_of_an_account;
create index concurrently wallet_credits_of_an_account on wallet_credits (account_id, id);

-- Without fresh figures about the new indexes the planner would guess.
analyze accounts, persons, business_requests, account_notice_settings;
