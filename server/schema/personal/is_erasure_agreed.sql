-- True while an erasure that two people agreed to is not finished. Functions that forget rows before their time call it.
create function is_erasure_agreed(erasure uuid) returns boolean language sql stable as $$
  select exists (
    select from erasures join approvals on approvals.id = erasures.approval_id
    where approvals.id = erasure and done_at is null and kind = 'personal erase' and state = 'done')
$$;
