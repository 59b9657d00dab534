-- Which messages a supplier's link has taken for itself, some hundreds at a time, and does not share with other links.
-- A claim ends with the transaction that writes the last of its answers.
create table sms_claims (
  id uuid primary key,
  supplier text not null,
  campaign_id uuid not null,
  numbers integer[] not null,
  claimed_at timestamptz not null default clock_timestamp()
);

-- What a link may have sent and whose answer is not kept yet: at most 50 messages. Replaced before each hand-over. Who
-- takes the link over puts a token of its own here; the one before can then neither claim nor send any more.
create table sms_windows (
  supplier text primary key,
  holder uuid not null,
  campaign_ids uuid[] not null,
  numbers integer[] not null,
  constraint sms_windows_name_whole_messages check (cardinality(campaign_ids) = cardinality(numbers)),
  constraint sms_windows_are_small check (cardinality(numbers) <= 50)
) with (fillfactor = 10);

-- Answers that are safe and do not stand at their messages yet, some at a time.
create table sms_kept_answers (
  id uuid primary key,
  supplier text not null,
  answers json not null
);

-- A claim no longer stands in the message. What an earlier release left claimed may have been sent.
update sms_messages set submit = 'unanswered' where submit = 'claimed';
alter table sms_messages drop constraint sms_messages_submit_is_known;
alter table sms_messages add constraint sms_messages_submit_is_known check (submit in ('waiting', 'unanswered', 'answered'));
drop index sms_messages_without_answer;
create index sms_messages_without_answer on sms_messages (supplier, claimed_at) where submit = 'unanswered';

-- These are only looked at when old rows are deleted, and rows lie in the order in which they came.
drop index sms_parts_by_age;
create index sms_parts_by_age on sms_parts using brin (created_at);
drop index sms_receipts_by_age;
create index sms_receipts_by_age on sms_receipts using brin (received_at);

grant select, insert, update, delete on sms_claims, sms_windows, sms_kept_answers to makola_app;
