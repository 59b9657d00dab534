-- Forgets for whom orders were: their recipients, the personal data of their details, suppliers' evidence and the texts of reports. It
-- runs with the owner's rights, because processes may not change what was bought and for whom. It changes nothing but ended
-- orders that are old enough, or those of an erasure that two people agreed to. A status, a price and a moment never change.
-- The recipients become hashes with a key that the database does not have, and so do the fingerprints of the requests: numbers
-- could be tried against the plain ones.
-- Returns the orders that were forgotten.
create function forget_orders(order_ids uuid[], hashes bytea[], keyed_fingerprints bytea[], erasure uuid) returns setof uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- Between these bounds PostgreSQL sees which partitions it need not read.
  first_id uuid := (select each from unnest(order_ids) as each order by each limit 1);
  last_id uuid := (select each from unnest(order_ids) as each order by each desc limit 1);
begin
  return query
  with due as materialized (
    select orders.id, orders.reference, wanted.hash, wanted.fingerprint
    from unnest(order_ids, hashes, keyed_fingerprints) as wanted (id, hash, fingerprint)
    join orders on orders.id = wanted.id
    where orders.id between first_id and last_id and recipient_hash is null
      and (created_at < forget_numbers_before() or is_erasure_agreed(erasure))
      and not exists (select from open_orders where order_id = wanted.id)
    order by orders.id for update of orders
  ), shared as (
    update order_references set fingerprint = due.fingerprint from due
    where order_references.reference = due.reference and order_id = due.id
  ), own as (
    update account_references set fingerprint = due.fingerprint from due where order_id = due.id
  ), answers as (
    update attempt_answers set evidence = 'forgotten', account_name = null
    from due where order_id = due.id and order_id between first_id and last_id
  ), contradicted as (
    update contradictions set evidence = 'forgotten' from due where order_id = due.id
  ), reported as (
    update order_reports set reason = '', answer = case when answer is not null then 'forgotten' end
    from due where order_id = due.id
  )
  update orders
  set recipient = masked_number(recipient), recipient_hash = due.hash, details = forgotten_details(details)
  from due where orders.id = due.id and orders.id between first_id and last_id
  returning orders.id;
end $$;
revoke all on function forget_orders(uuid[], bytea[], bytea[], uuid) from public;
grant execute on function forget_orders(uuid[], bytea[], bytea[], uuid) to makola_app;
