-- Refuses to change the order or the time of a sold voucher, and the type of any voucher.
create function keep_sold_vouchers() returns trigger language plpgsql as $$
begin
  if old.order_id is not null and (new.order_id is distinct from old.order_id or new.sold_at is distinct from old.sold_at) then
    raise exception 'a sold voucher stays with its order' using errcode = 'restrict_violation';
  end if;
  if new.type_id <> old.type_id then
    raise exception 'a voucher keeps its type' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
