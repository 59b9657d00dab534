-- Removes unsold vouchers from the stock, once two people have agreed. It runs with the owner's rights, because processes may not
-- delete vouchers. The caller has locked the type and reduces its count. Temporary tables come last in its search path, so that
-- nobody can put a table of their own in the place of ours.
create function withdraw_vouchers(agreed uuid, ids uuid[]) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  withdrawn bigint;
begin
  if not exists (select from approvals where id = agreed and kind = 'vouchers withdraw' and state = 'done') then
    raise exception 'vouchers leave the stock only by the word of two people' using errcode = 'restrict_violation';
  end if;
  insert into withdrawn_vouchers (id, type_id, pin, pin_hash, serial_number, serial_number_hash, imported_at, approval_id)
  select id, type_id, pin, pin_hash, serial_number, serial_number_hash, imported_at, agreed
  from vouchers where id = any (ids) and order_id is null order by id for update;
  delete from vouchers using withdrawn_vouchers as gone where gone.approval_id = agreed and vouchers.id = gone.id;
  get diagnostics withdrawn = row_count;
  return withdrawn;
end $$;
revoke all on function withdraw_vouchers(uuid, uuid[]) from public;
grant execute on function withdraw_vouchers(uuid, uuid[]) to makola_app;
