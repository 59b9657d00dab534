-- outside a transaction
-- The answer to a reference that was sent again as a question is told apart from the answer to its first send. Older
-- processes store both as 'send', which stays allowed. Rows are checked without holding up those who write.
alter table attempt_answers drop constraint if exists attempt_answers_source_is_known,
  add constraint attempt_answers_source_is_known check (source in ('send', 'resend', 'status', 'callback', 'person')) not valid;
alter table attempt_answers validate constraint attempt_answers_source_is_known;
