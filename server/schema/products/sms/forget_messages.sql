-- Forgets the recipients of messages. It runs with the owner's rights, because processes may not change who a message is for. It
-- changes nothing but messages of settled campaigns that are old enough, or of an erasure that two people agreed to.
-- Returns how many were forgotten.
create function forget_messages(campaign_ids uuid[], numbers integer[], hashes bytea[], erasure uuid) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  forgotten bigint;
begin
  update sms_messages set recipient = masked_number(recipient), recipient_hash = wanted.hash
  from unnest(campaign_ids, numbers, hashes) as wanted (campaign_id, n, hash)
  join sms_campaigns on sms_campaigns.id = wanted.campaign_id
  where sms_messages.campaign_id = wanted.campaign_id and sms_messages.n = wanted.n and recipient_hash is null
    and settled_at is not null and (sms_campaigns.created_at < forget_numbers_before() or is_erasure_agreed(erasure));
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke all on function forget_messages(uuid[], integer[], bytea[], uuid) from public;
grant execute on function forget_messages(uuid[], integer[], bytea[], uuid) to makola_app;
