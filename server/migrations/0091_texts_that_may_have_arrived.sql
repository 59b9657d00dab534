-- A text that waits again although it may have arrived keeps that until it has ended, and is then charged. Older processes
-- never set the column; they end such a text as before.
alter table sms_messages add column if not exists may_have_arrived boolean not null default false;
