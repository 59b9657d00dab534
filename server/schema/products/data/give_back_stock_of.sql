-- An order that took one of a limited package gives it back in the transaction that refunds it. Which package that was stands
-- in what the order froze: `stockPackageId`, only where one was counted off. The schema knows this for all who refund, so
-- that no way of refunding can forget it.
--
-- Gives back what these orders took, which the caller has moved to `refunded` just now. A package that has become
-- unlimited meanwhile stays so. Answers whether one that was sold out is there again: the catalogue's version must
-- be raised then.
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
