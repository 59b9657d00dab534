-- outside a transaction
-- What the desk looks at once a second, and what needs a person, is found by index. Built while orders are placed:
-- nothing is locked against reading or writing. A statement that was broken off is begun again from its start. Rows of
-- `open_orders` and `api_keys` are in these indexes only while they wait, so a purchase writes to neither.

drop index concurrently if exists open_orders_held;
create index concurrently open_orders_held on open_orders (order_id)
  where hold_reason is not null and hold_reason <> 'not_registered';

drop index concurrently if exists api_keys_waiting;
create index concurrently api_keys_waiting on api_keys (id) where status = 'pending';

drop index concurrently if exists sms_senders_waiting;
create index concurrently sms_senders_waiting on sms_senders (requested_at, id) where status = 'requested';

drop index concurrently if exists alarms_by_time;
create index concurrently alarms_by_time on alarms (raised_at, id);

-- The newest action of each kind: the first word of an action says what it is about.
drop index concurrently if exists operator_log_by_first_word;
create index concurrently operator_log_by_first_word on operator_log ((split_part(action, ' ', 1)), id);

-- How far these counts have come says that something was written.
grant select on sequence order_events_event_no_seq, attempt_answers_answer_no_seq to makola_app;
