-- Notes the messages that a statement delivered or failed, so that webhooks can report them (`message.delivered`, `message.failed`). Only
-- messages of accounts with a webhook for one of these events. It runs once for each statement, because one statement ends many messages.
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
