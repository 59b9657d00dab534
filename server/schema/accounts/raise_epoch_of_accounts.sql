-- The intake caches accounts and their roles until the epoch changes. So this trigger raises the epoch at each change of an
-- account.
create function raise_epoch_of_accounts() returns trigger language plpgsql as $$
begin
  update cache_epoch set epoch = epoch + 1;
  return null;
end $$;
