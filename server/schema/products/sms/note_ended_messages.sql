-- Notes each message that was delivered or failed, for the events of webhooks. A message ends in one of several statements, of which
-- each moves many; this looks once a statement whether anybody wants to hear of it.
create function note_ended_messages() returns trigger language plpgsql as $$
begin
  if exists (select from webhook_endpoints where events && array['message.delivered', 'message.failed']) then
    insert into webhook_messages (campaign_id, n, account_id, status, ended_at)
    select moved.campaign_id, moved.n, campaign.account_id, moved.status, moved.status_updated_at
    from moved join unmoved on unmoved.campaign_id = moved.campaign_id and unmoved.n = moved.n
      join sms_campaigns as campaign on campaign.id = moved.campaign_id
    where moved.status not in ('queued', 'sent') and moved.status <> unmoved.status and campaign.account_id in (
      select account_id from webhook_endpoints where events && array['message.delivered', 'message.failed']);
  end if;
  return null;
end $$;
create trigger ended_messages_are_noted after update on sms_messages
  referencing old table as unmoved new table as moved for each statement execute function note_ended_messages();
