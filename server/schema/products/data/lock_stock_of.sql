-- Locks the packages whose stock these orders may give back. Call it after locking the wallets and before locking open orders.
create function lock_stock_of(order_ids uuid[]) returns void language sql as $$
  select count(*) from (
    select from packages
    where id in (select (details->>'stockPackageId')::uuid from orders where id = any(order_ids) and details ? 'stockPackageId')
    order by id
    for update
  ) as locked
$$;
grant execute on function lock_stock_of(uuid[]) to makola_app;
