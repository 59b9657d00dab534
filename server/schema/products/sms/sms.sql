create table sms_senders (
  id uuid primary key,
  account_id uuid references accounts (id),
  sender text not null,
  status text not null,
  is_default boolean not null default false,
  requested_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text,
  reason text,
  constraint sms_senders_status_is_known check (status in ('requested', 'approved', 'rejected')),
  constraint sms_senders_default_is_approved check (not is_default or status = 'approved'),
  constraint sms_senders_of_the_pool_are_approved check (account_id is not null or status = 'approved')
);
comment on table sms_senders is
  'A name under which texts are sent. Without an account: a name of the pool, which every account may use.
Grows: a row per requested name, for ever.';

create unique index sms_senders_once_per_account on sms_senders (account_id, sender) where account_id is not null;
comment on index sms_senders_once_per_account is 'Allows one request per name and account.';

create unique index sms_senders_once_in_the_pool on sms_senders (sender) where account_id is null;
comment on index sms_senders_once_in_the_pool is 'Allows a name once in the pool.';

create unique index sms_senders_one_default_per_account on sms_senders (account_id) where is_default and account_id is not null;
comment on index sms_senders_one_default_per_account is 'Allows one default per account.';

create unique index sms_senders_one_default_in_the_pool on sms_senders (is_default) where is_default and account_id is null;
comment on index sms_senders_one_default_in_the_pool is 'Allows one default in the pool.';

create index sms_senders_waiting on sms_senders (requested_at, id) where status = 'requested';
comment on index sms_senders_waiting is 'Serves the list of names that wait for approval. A row is here only while it waits.';

grant select, insert, update on sms_senders to makola_app;

create table sms_campaigns (
  id uuid primary key,
  account_id uuid not null,
  status text not null,
  source text not null,
  sender text not null,
  message text not null,
  encoding text not null,
  segment_rule text not null,
  segments integer not null,
  recipients text[] not null,
  left_out text[] not null default '{}',
  names text[],
  segments_of_each smallint[],
  recipients_count integer not null,
  credits_charged bigint not null,
  credits_refunded bigint not null default 0,
  open_count integer not null,
  is_bulk boolean not null,
  blocked_by text,
  scheduled_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  expanded_at timestamptz,
  settled_at timestamptz,
  paused_at timestamptz,
  paused_by text,
  cancelled_at timestamptz,
  cancelled_by text,
  cancel_reason text,
  is_paused_by_operator boolean not null default false,
  is_cancelled_by_operator boolean not null default false,
  constraint sms_campaigns_status_is_known check (status in ('queued', 'processing', 'completed', 'failed', 'blocked')),
  constraint sms_campaigns_source_is_known check (source in ('api', 'dashboard')),
  constraint sms_campaigns_encoding_is_known check (encoding in ('gsm7', 'ucs2')),
  constraint sms_campaigns_segment_rule_is_known check (segment_rule in ('standard', 'flat')),
  constraint sms_campaigns_count_their_recipients
    check (recipients_count = cardinality(recipients) or (status = 'blocked' and recipients = '{}')),
  constraint sms_campaigns_blocked_have_a_rule check ((status = 'blocked') = (blocked_by is not null)),
  constraint sms_campaigns_blocked_cost_nothing check (status <> 'blocked' or credits_charged = 0),
  constraint sms_campaigns_cost_their_segments check (status = 'blocked' or case
    when segments_of_each is null then credits_charged = segments * recipients_count
    else credits_charged between recipients_count and segments * recipients_count end),
  constraint sms_campaigns_count_segments_of_each_recipient check (cardinality(segments_of_each) = recipients_count),
  constraint sms_campaigns_settled_have_their_time check ((status in ('completed', 'failed')) = (settled_at is not null)),
  constraint sms_campaigns_settled_are_not_open check (settled_at is null or open_count = 0),
  constraint sms_campaigns_open_count_not_negative check (open_count >= 0),
  constraint sms_campaigns_paused_by_somebody check ((paused_at is null) = (paused_by is null)),
  constraint sms_campaigns_cancelled_by_somebody check ((cancelled_at is null) = (cancelled_by is null))
) partition by range (id);
insert into partitioned_tables values ('sms_campaigns', 'fillfactor = 70');
comment on table sms_campaigns is
  'A text to one or more numbers. It has the id of its order; a blocked one has no order. It is stored by the transaction that
debits the credits.
Grows: a row per campaign, for ever, partitioned by month.';
comment on column sms_campaigns.message is 'Empty once the text was forgotten.';
comment on column sms_campaigns.recipients is
  'The numbers, masked once they were forgotten. For a blocked campaign, which sends nothing, only their count is stored.';
comment on column sms_campaigns.left_out is
  'Numbers of the request that had opted out: no message goes to them, and they cost nothing. Masked as `recipients`.';
comment on column sms_campaigns.names is
  'What each recipient gets in place of `{name}`, in their order. Null: all get the text as it is, or the names were forgotten.';
comment on column sms_campaigns.segments is 'Of the text; of the longest one where recipients get different texts.';
comment on column sms_campaigns.segments_of_each is
  'The segments of each recipient''s text, in their order, where names were filled in. Null: `segments` each.';
comment on column sms_campaigns.open_count is 'The number of its messages that are still `queued`. At 0 the campaign settles.';
comment on column sms_campaigns.paused_at is 'No further message of a paused campaign is sent.';
comment on column sms_campaigns.cancelled_at is
  'A cancelled campaign sends nothing more; the credits of unsent messages are refunded.';
comment on column sms_campaigns.is_paused_by_operator is 'True: only the operator can resume it.';
comment on column sms_campaigns.is_cancelled_by_operator is
  'False for a cancelled campaign: its account cancelled it, or the worker, whose reason is then stored.';

create index sms_campaigns_of_an_account on sms_campaigns (account_id, id);
comment on index sms_campaigns_of_an_account is 'Serves an account''s campaigns, newest first.';

create index sms_campaigns_to_expand on sms_campaigns (is_bulk, id) where status = 'queued';
comment on index sms_campaigns_to_expand is
  'Serves the worker: campaigns whose messages are not written yet, with large ones apart.';

create index sms_campaigns_in_work on sms_campaigns (id) where status = 'processing';
comment on index sms_campaigns_in_work is 'Serves the worker and the desk: campaigns that are being sent.';

create index sms_campaigns_with_text on sms_campaigns (coalesce(settled_at, created_at))
  where message <> '' and status in ('completed', 'failed', 'blocked');
comment on index sms_campaigns_with_text is 'Serves the timer that forgets the texts of ended campaigns.';

grant select, insert, update on sms_campaigns to makola_app;

create table sms_messages (
  campaign_id uuid not null,
  n integer not null,
  recipient text not null,
  network text not null,
  is_bulk boolean not null,
  status text not null default 'queued',
  submit text not null default 'waiting',
  refused_by jsonb not null default '[]',
  supplier text,
  claimed_at timestamptz,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  status_updated_at timestamptz not null default clock_timestamp(),
  may_have_arrived boolean not null default false,
  recipient_hash bytea,
  primary key (campaign_id, n),
  constraint sms_messages_status_is_known
    check (status in ('queued', 'sent', 'delivered', 'undelivered', 'failed', 'expired', 'rejected')),
  constraint sms_messages_submit_is_known check (submit in ('waiting', 'unanswered', 'answered')),
  constraint sms_messages_answered_have_left_the_queue check ((submit = 'answered') = (status <> 'queued')),
  constraint sms_messages_waiting_belong_to_nobody check (submit <> 'waiting' or supplier is null)
) partition by range (campaign_id);
insert into partitioned_tables values ('sms_messages', 'fillfactor = 70');
comment on table sms_messages is
  'The text of a campaign to one recipient. Processes may change its status, but not its recipient.
Grows: one row per recipient of a campaign, for ever, partitioned by the month of the campaign.';
comment on column sms_messages.submit is
  'The progress of its submit: `waiting`; `unanswered` when it is not known whether the supplier took it; `answered` for good.';
comment on column sms_messages.refused_by is 'Suppliers that refused us, not the message. It is not offered to them again.';
comment on column sms_messages.may_have_arrived is
  'It waits again although it may have arrived. This stays true to its end, and the message is charged.';

comment on column sms_messages.recipient_hash is 'See `orders.recipient_hash`.';

create index sms_messages_waiting on sms_messages (is_bulk, campaign_id, n) where submit = 'waiting';
comment on index sms_messages_waiting is 'Serves the claim of messages, with those of large campaigns last.';

create index sms_messages_without_answer on sms_messages (supplier, claimed_at) where submit = 'unanswered';
comment on index sms_messages_without_answer is
  'Serves the timer that decides about messages without an answer of the supplier.';

grant select, insert on sms_messages to makola_app;
grant update (status, submit, refused_by, supplier, claimed_at, reason, status_updated_at, may_have_arrived)
  on sms_messages to makola_app;

create table sms_parts (
  campaign_id uuid not null,
  n integer not null,
  part_no integer not null,
  supplier text not null,
  message_key text not null,
  recipient_tail text not null,
  state text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (campaign_id, n, part_no),
  constraint sms_parts_state_is_known check (state in ('delivered', 'undelivered', 'expired', 'rejected'))
) with (fillfactor = 70);
comment on table sms_parts is
  'A segment of a message that a supplier took.
Grows: a row per part; a timer removes those that no receipt can name any more.';
comment on column sms_parts.message_key is 'The supplier''s id in one spelling: lower case, no leading zeros.';
comment on column sms_parts.recipient_tail is
  'The recipient''s last nine digits, which are equal in every notation of a Ghanaian number.';

create index sms_parts_by_message_key on sms_parts (supplier, message_key);
comment on index sms_parts_by_message_key is 'Serves a receipt: the segment that it is about.';

create index sms_parts_by_age on sms_parts using brin (created_at);
comment on index sms_parts_by_age is 'Serves the deletion of old rows. Rows are stored in the order in which they came.';

grant select, insert, update, delete on sms_parts to makola_app;

create table sms_receipts (
  id uuid primary key,
  supplier text not null,
  message_keys text[] not null,
  recipient_tail text,
  state text not null,
  received_at timestamptz not null default clock_timestamp(),
  matched_at timestamptz,
  constraint sms_receipts_state_is_known check (state in ('delivered', 'undelivered', 'expired', 'rejected', 'underway'))
);
comment on table sms_receipts is
  'A delivery receipt, as it came. One that is not matched yet came before the answer to its submit, or is not ours.
Grows: a row per receipt; a timer removes old ones.';

create index sms_receipts_not_matched on sms_receipts (supplier, received_at) where matched_at is null;
comment on index sms_receipts_not_matched is 'Serves matching receipts that came before their answer.';

create index sms_receipts_by_age on sms_receipts using brin (received_at);
comment on index sms_receipts_by_age is 'Serves the deletion of old rows. Rows are stored in the order in which they came.';

grant select, insert, update, delete on sms_receipts to makola_app;

create table sms_links (
  supplier text primary key,
  state text not null,
  seen_at timestamptz not null default clock_timestamp(),
  constraint sms_links_state_is_known check (state in ('bound', 'down'))
);
comment on table sms_links is
  'The state of the link to a supplier: written by the process that holds the link, read by all processes before they choose a
route.
Grows: one row per supplier of SMS.';
grant select, insert, update on sms_links to makola_app;

create table sms_claims (
  id uuid primary key,
  supplier text not null,
  campaign_id uuid not null,
  numbers integer[] not null,
  claimed_at timestamptz not null default clock_timestamp()
);
comment on table sms_claims is
  'Messages that one supplier''s link has claimed, some hundreds at a time; other links leave them alone. A claim ends with
the transaction that writes its last answer.
Grows: some rows per link.';
grant select, insert, update, delete on sms_claims to makola_app;

create table sms_windows (
  supplier text primary key,
  holder uuid not null,
  campaign_ids uuid[] not null,
  numbers integer[] not null,
  constraint sms_windows_name_whole_messages check (cardinality(campaign_ids) = cardinality(numbers)),
  constraint sms_windows_are_small check (cardinality(numbers) <= 100)
) with (fillfactor = 10);
comment on table sms_windows is
  'The messages that a link may have sent and whose answers are not stored yet. The row is replaced before each send. A
process that takes the link over writes a token of its own; the earlier holder can then neither claim nor send. The link
commits the next messages while the supplier still works on the ones before, so there are up to twice as many as the link
sends without an answer.
Grows: one row per supplier of SMS.';
grant select, insert, update, delete on sms_windows to makola_app;

create table sms_kept_answers (
  id uuid primary key,
  supplier text not null,
  answers json not null
);
comment on table sms_kept_answers is
  'Answers of a supplier that are stored, but not yet written to their messages.
Grows: some rows per link; normally empty.';
grant select, insert, update, delete on sms_kept_answers to makola_app;

create table sms_credit_purchases (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  reference text not null,
  credits bigint not null,
  price bigint not null,
  actor text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint sms_credit_purchases_once_per_reference unique (account_id, reference),
  constraint sms_credit_purchases_are_of_something check (credits > 0 and price > 0)
);
comment on table sms_credit_purchases is
  'SMS credits that a person bought from the wallet: one cause with two transfers, once per reference of the account.
Grows: a row per purchase, for ever.';
grant select, insert on sms_credit_purchases to makola_app;

create table sms_lists (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint sms_lists_have_different_names unique (account_id, name)
);
comment on table sms_lists is
  'A list of numbers that an account sends to. The one with the id of its account has the numbers that have opted out: campaigns
leave them out.
Grows: as resellers add lists.';
grant select, insert, delete on sms_lists to makola_app;
grant update (name) on sms_lists to makola_app;

create table sms_contacts (
  list_id uuid not null references sms_lists (id) on delete cascade,
  recipient text not null,
  name text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (list_id, recipient),
  constraint sms_contacts_are_numbers_of_ghana check (recipient ~ '^233[0-9]{9}$')
);
comment on table sms_contacts is
  'A number of a list. Personal data: it is deleted with its list or alone.
Grows: as resellers add numbers.';
grant select, insert, delete on sms_contacts to makola_app;
grant update (name) on sms_contacts to makola_app;

create table sms_drafts (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  message text not null,
  recipients text not null,
  list_ids uuid[] not null,
  sender text,
  name_fallback text,
  updated_by text not null,
  updated_at timestamptz not null default clock_timestamp()
);
comment on table sms_drafts is
  'An unsent text, as its author left it.
Grows: as resellers leave drafts, until they remove them.';

create index sms_drafts_of_an_account on sms_drafts (account_id, updated_at);
comment on index sms_drafts_of_an_account is 'Serves the drafts of one account, newest first.';

grant select, insert, update, delete on sms_drafts to makola_app;
