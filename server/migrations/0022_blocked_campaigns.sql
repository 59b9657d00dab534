-- Of a blocked campaign the number of its recipients is kept, but no longer who they are: nobody is sent anything.
alter table sms_campaigns drop constraint sms_campaigns_count_their_recipients;
update sms_campaigns set recipients = '{}' where status = 'blocked';
alter table sms_campaigns add constraint sms_campaigns_count_their_recipients
  check (recipients_count = cardinality(recipients) or (status = 'blocked' and recipients = '{}'));
