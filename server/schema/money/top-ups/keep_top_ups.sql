-- Refuses to change the request of a top-up, and the state of a top-up that was credited or declined. The phone of the payer may be
-- masked once the top-up has ended.
create function keep_top_ups() returns trigger language plpgsql as $$
begin
  if (new.id, new.account_id, new.way, new.reference, new.page_reference, new.amount, new.fee, new.made_by, new.transfer_key, new.is_by_floor, new.created_at)
      is distinct from
     (old.id, old.account_id, old.way, old.reference, old.page_reference, old.amount, old.fee, old.made_by, old.transfer_key, old.is_by_floor, old.created_at)
    or (new.payer_phone is distinct from old.payer_phone
      and (old.ended_at is null or new.payer_phone is distinct from masked_number(old.payer_phone))) then
    raise exception 'what a top-up is about never changes' using errcode = 'restrict_violation';
  end if;
  if old.state in ('credited', 'declined') and new.state <> old.state then
    raise exception 'a top-up that was % stays so', old.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
