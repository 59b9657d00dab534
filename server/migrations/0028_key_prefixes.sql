-- The first word of a key as it was made, for whoever looks for it: an installation may have changed its word since.
-- Null: a key from before this was kept.
alter table api_keys add column prefix text;
