-- outside a transaction
-- What the desk lists and filters, each through an index. None of these tables is written by a purchase.

-- The operator's log, newest first: all of it, of one actor, of one action, about one thing.
drop index concurrently if exists operator_log_by_time;
create index concurrently operator_log_by_time on operator_log (at, id);

drop index concurrently if exists operator_log_by_actor;
create index concurrently operator_log_by_actor on operator_log (lower(actor), at, id);

drop index concurrently if exists operator_log_by_os_user;
create index concurrently operator_log_by_os_user on operator_log (lower(os_user), at, id);

drop index concurrently if exists operator_log_by_action;
create index concurrently operator_log_by_action on operator_log (action, at, id);

drop index concurrently if exists operator_log_by_lower_subject;
create index concurrently operator_log_by_lower_subject on operator_log (lower(subject), at, id);

drop index concurrently if exists operator_log_by_account;
create index concurrently operator_log_by_account on operator_log (lower(details ->> 'account_id'), at, id);

-- What waits for a second person, among all that was decided.
drop index concurrently if exists approvals_waiting;
create index concurrently approvals_waiting on approvals (created_at, id) where state = 'pending';

drop index concurrently if exists api_keys_by_status;
create index concurrently api_keys_by_status on api_keys (status, id);

drop index concurrently if exists api_keys_by_type;
create index concurrently api_keys_by_type on api_keys (type, id);

drop index concurrently if exists business_requests_by_state;
create index concurrently business_requests_by_state on business_requests (state, id);

drop index concurrently if exists top_ups_by_state;
create index concurrently top_ups_by_state on top_ups (state, id);
