-- Begins a batch of purchases that cannot be decided from memory: locks the wallets, reserves the references, and reads the
-- facts to decide on, in one call. Each statement of the body sees everything that was committed before the statement began, so
-- the facts are read after the locks were taken. One call is faster than five statements that wait for each other.
--
-- `wanted_…`: the references of the shared name space, one element each. `account_ids`: all accounts of the batch. `taken`: the
-- references that were not free, with their holders. `reserved_count`: the number of the others, which this batch holds now. The
-- function does not wait for a wallet that another transaction has locked: that wallet is missing in `wallets`, and the caller
-- releases the references that were reserved for its account.
create function open_batch_skipping_locked(
  wallet_accounts uuid[],
  wallet_purses text[],
  account_ids uuid[],
  wanted_references text[],
  wanted_accounts uuid[],
  wanted_orders uuid[],
  wanted_kinds text[],
  wanted_fingerprints text[],
  out clock timestamptz,
  out catalogue_version bigint,
  out wallets json,
  out accounts json,
  out reserved_count bigint,
  out taken json
) language plpgsql as $$
declare
  reserved text[];
begin
  select json_agg(json_build_array(locked.account_id, locked.purse, locked.balance, locked.last_entry_no)) into wallets
  from (
    select wallet.account_id, wallet.purse, wallet.balance, wallet.last_entry_no
    from wallets as wallet
    where (wallet.account_id, wallet.purse) in (select * from unnest(wallet_accounts, wallet_purses))
    order by wallet.account_id, wallet.purse
    for update skip locked
  ) as locked;

  if cardinality(wanted_references) > 0 then
    with inserted as (
      insert into order_references (reference, account_id, order_id, kind, fingerprint)
      select wanted.reference, wanted.account_id, wanted.order_id, wanted.kind, decode(wanted.fingerprint, 'hex')
      from unnest(wanted_references, wanted_accounts, wanted_orders, wanted_kinds, wanted_fingerprints)
        as wanted (reference, account_id, order_id, kind, fingerprint)
      order by wanted.reference collate "C"
      on conflict do nothing
      returning order_references.reference
    )
    select array_agg(inserted.reference) into reserved from inserted;
  end if;

  reserved_count := coalesce(cardinality(reserved), 0);

  select clock_timestamp(), epoch.catalogue_version into clock, catalogue_version from cache_epoch as epoch;

  select json_agg(json_build_array(account.id, account.status, account.role, account.role_expires_at)) into accounts
  from accounts as account
  where account.id = any(account_ids);

  if cardinality(wanted_references) > reserved_count then
    select json_agg(json_build_array(holder.reference, holder.order_id, holder.account_id, holder.kind, encode(holder.fingerprint, 'hex')))
    into taken
    from order_references as holder
    where holder.reference = any(wanted_references) and holder.reference <> all(coalesce(reserved, '{}'));
  end if;
end $$;
