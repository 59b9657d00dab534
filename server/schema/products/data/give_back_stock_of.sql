-- Gives back the stock of limited packages that these orders took. The caller has just moved the orders to `refunded` in this
-- transaction. An order's details name the package in `stockPackageId`, only where its stock was counted down. This is a function
-- of the schema, so that every way of refunding gives back the stock. A package that is unlimited now is not changed. Returns
-- true when a package that was sold out has stock again: the caller must then raise the catalogue's version.
create function give_back_stock_of(order_ids uuid[]) returns boolean language sql as $$
  with given as (
    select (details->>'stockPackageId')::uuid as package_id, count(*) as count
    from orders
    where id = any(order_ids) and details ? 'stockPackageId'
    group by 1
  ), changed as (
    update packages set stock = packages.stock + given.count
    from given
    where packages.id = given.package_id and packages.stock is not null
    returning packages.stock = given.count as was_sold_out
  )
  select coalesce(bool_or(was_sold_out), false) from changed
$$;
grant execute on function give_back_stock_of(uuid[]) to makola_app;
