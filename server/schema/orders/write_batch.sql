-- Writes a batch of purchases that was decided on facts in memory, where these facts still hold, in one call. It is called
-- outside a transaction, so the end of the call is the commit.
--
-- Nothing at all is written, and `is_current` is false, when the facts were read before PostgreSQL was restarted, when the epoch
-- has changed (an account, a price or a setting was changed), or when the clock has reached `roles_hold_until`, the earliest
-- expiry of a role in the batch.
--
-- Each wallet is locked and compared: its balance and the number of its last entry. Of each account all orders are written, or
-- none:
-- `busy`   accounts whose wallet another transaction holds; the call does not wait for them
-- `stale`  wallets that differ from the remembered ones, with their present values: account, balance, number of the last entry
-- `taken`  references that were not free, with the accounts that wanted them in `taken_by`
-- All other accounts of the batch are written, or had nothing to write, and the decisions about them are right at `clock`.
--
-- Refused orders are compared as well: their wallet, because a caller must not be refused for too little money when the balance
-- has changed, and their references (`refused_references`), because a repeat of an earlier order gets that order, whatever a new
-- order would be refused for.
create function write_batch(
  known_server timestamptz,
  known_epoch bigint,
  roles_hold_until timestamptz,
  wallet_accounts uuid[],
  wallet_balances bigint[],
  wallet_entry_nos bigint[],
  balances_after bigint[],
  entry_nos_after bigint[],
  order_ids uuid[],
  order_accounts uuid[],
  order_kinds text[],
  wanted_references text[],
  fingerprints text[],
  statuses text[],
  prices bigint[],
  recipients text[],
  sources text[],
  order_details text[],
  routes text[],
  are_due boolean[],
  roles text[],
  order_entry_nos bigint[],
  order_balances_after bigint[],
  refused_references text[],
  refused_accounts uuid[],
  out clock timestamptz,
  out is_current boolean,
  out busy uuid[],
  out stale json,
  out taken text[],
  out taken_by uuid[]
) language plpgsql
-- Plans are made once per connection, not for each call.
set plan_cache_mode = force_generic_plan as $$
declare
  held uuid[];
  is_whole boolean;
  stale_count integer;
  due_references integer := cardinality(order_ids);
  lost text[];
  lost_by uuid[];
  written integer;
  buyers integer;
begin
  clock := clock_timestamp();
  select epoch.epoch = known_epoch and pg_postmaster_start_time() = known_server and clock < roles_hold_until
  into is_current from cache_epoch as epoch;
  if is_current is not true then
    return;
  end if;

  select
    array_agg(wallet.account_id) filter (where wallet.is_same),
    count(*) filter (where not wallet.is_same),
    json_agg(json_build_array(wallet.account_id, wallet.balance, wallet.last_entry_no)) filter (where not wallet.is_same)
  into held, stale_count, stale
  from (
    select locked.account_id, locked.balance, locked.last_entry_no,
      locked.balance = known.balance and locked.last_entry_no = known.entry_no as is_same
    from (
      select * from unnest(wallet_accounts, wallet_balances, wallet_entry_nos) as wanted (account_id, balance, entry_no)
      order by account_id
    ) as known
    cross join lateral (
      -- One look-up by key for each wallet. A join could compare every wallet of the batch with every other.
      select wallets.account_id, wallets.balance, wallets.last_entry_no from wallets
      where wallets.account_id = known.account_id and purse = 'main'
      for update skip locked
    ) as locked
  ) as wallet;
  held := coalesce(held, '{}');

  if cardinality(held) + stale_count < cardinality(wallet_accounts) then
    select array_agg(account_id) into busy from unnest(wallet_accounts) as account_id
    where account_id <> all(held)
      and not exists (select from json_array_elements(stale) as wallet where (wallet ->> 0)::uuid = account_id);
  end if;

  if cardinality(refused_references) > 0 then
    select array_agg(wanted.reference), array_agg(wanted.account_id) into taken, taken_by
    from unnest(refused_references, refused_accounts) as wanted (reference, account_id)
    join order_references as holder on holder.reference = wanted.reference
    where wanted.account_id = any(held);
    if taken is not null then
      select coalesce(array_agg(account_id), '{}') into held from unnest(held) as account_id where account_id <> all(taken_by);
    end if;
  end if;

  if cardinality(held) < cardinality(wallet_accounts) then
    select count(*) into due_references from unnest(order_accounts) as account_id where account_id = any(held);
  end if;
  is_whole := cardinality(held) = cardinality(wallet_accounts);
  if due_references = 0 then
    return;
  end if;

  -- In one fixed order, as everywhere where references are reserved. Waits for another transaction that is inserting the same
  -- reference.
  insert into order_references (reference, account_id, order_id, kind, fingerprint)
  select wanted.reference, wanted.account_id, wanted.order_id, wanted.kind, decode(wanted.fingerprint, 'hex')
  from unnest(wanted_references, order_accounts, order_ids, order_kinds, fingerprints)
    as wanted (reference, account_id, order_id, kind, fingerprint)
  where is_whole or wanted.account_id = any(held)
  order by wanted.reference collate "C"
  on conflict do nothing;
  get diagnostics written = row_count;

  if written < due_references then
    select array_agg(wanted.reference), array_agg(wanted.account_id) into lost, lost_by
    from unnest(wanted_references, order_accounts, order_ids) as wanted (reference, account_id, order_id)
    join order_references as holder on holder.reference = wanted.reference and holder.order_id <> wanted.order_id
    where wanted.account_id = any(held);
    if coalesce(cardinality(lost), 0) <> due_references - written then
      raise exception 'a taken reference vanished while its transaction was read';
    end if;
    taken := coalesce(taken, '{}') || lost;
    taken_by := coalesce(taken_by, '{}') || lost_by;
    -- The calls of these accounts are decided again, so their reserved references are freed until then.
    delete from order_references as reserved
    using unnest(wanted_references, order_ids, order_accounts) as wanted (reference, order_id, account_id)
    where reserved.reference = wanted.reference and reserved.order_id = wanted.order_id and wanted.account_id = any(lost_by);
    select coalesce(array_agg(account_id), '{}') into held from unnest(held) as account_id where account_id <> all(lost_by);
    is_whole := false;
  end if;

  with new_orders as materialized (
    select * from unnest(
      order_ids, order_accounts, order_kinds, wanted_references, statuses, prices, recipients, sources, order_details, routes,
      are_due, roles, order_entry_nos, order_balances_after
    ) as new_order (
      order_id, account_id, kind, reference, status, price, recipient, source, details, route,
      is_due, role, entry_no, balance_after
    )
    where is_whole or new_order.account_id = any(held)
  ), born as (
    insert into orders (id, account_id, kind, reference, status, price, recipient, source, details, role, created_at, updated_at)
    select order_id, account_id, kind, reference, status, price, recipient, source, details::jsonb, role, clock, clock
    from new_orders
  ), scheduled as (
    insert into open_orders (order_id, route, next_step_at, hold_reason)
    select order_id, route, case when is_due then clock else 'infinity' end, case when status = 'queued' then 'not_registered' end
    from new_orders
    where route is not null
  ), recorded as (
    insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after)
    select order_id, 'purchase', account_id, 'main', 'sales', price, entry_no, balance_after from new_orders
  ), changed as (
    update wallets set balance = known.balance_after, last_entry_no = known.entry_no_after
    from unnest(wallet_accounts, wallet_entry_nos, balances_after, entry_nos_after)
      as known (account_id, entry_no, balance_after, entry_no_after)
    where wallets.account_id = known.account_id and wallets.purse = 'main'
      and (is_whole or known.account_id = any(held)) and known.entry_no <> known.entry_no_after
    returning wallets.account_id
  )
  select (select count(*) from changed), count(distinct account_id) into written, buyers from new_orders;
  if written <> buyers then
    raise exception 'a wallet vanished while it was locked';
  end if;
end $$;
