-- The intake remembers who may buy at which price until the epoch moves. So it moves whatever changes that.
create function raise_epoch_of_accounts() returns trigger language plpgsql as $$
begin
  update cache_epoch set epoch = epoch + 1;
  return null;
end $$;
