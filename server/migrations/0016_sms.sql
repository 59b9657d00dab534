-- SMS: senders, campaigns, their messages, and what the suppliers' links said about them.

-- A number whose network nobody knows is sent on the routes of `any`, as is one whose network has no route.
insert into networks (product, name, position) values ('sms', 'MTN', 1), ('sms', 'Telecel', 2), ('sms', 'AT', 3), ('sms', 'any', 4);

-- Under which name texts are sent. Without an account: one of the pool that everybody may use.
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
create unique index sms_senders_once_per_account on sms_senders (account_id, sender) where account_id is not null;
create unique index sms_senders_once_in_the_pool on sms_senders (sender) where account_id is null;
create unique index sms_senders_one_default_per_account on sms_senders (account_id) where is_default and account_id is not null;
create unique index sms_senders_one_default_in_the_pool on sms_senders (is_default) where is_default and account_id is null;

-- A campaign has the id of its order; a blocked one has no order. `open_count` is how many of its messages
-- have not left `queued`: at 0 it settles. The recipients are stored by the transaction that debits the credits.
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
  constraint sms_campaigns_status_is_known check (status in ('queued', 'processing', 'completed', 'failed', 'blocked')),
  constraint sms_campaigns_source_is_known check (source in ('api', 'dashboard')),
  constraint sms_campaigns_encoding_is_known check (encoding in ('gsm7', 'ucs2')),
  constraint sms_campaigns_segment_rule_is_known check (segment_rule in ('standard', 'flat')),
  constraint sms_campaigns_count_their_recipients check (recipients_count = cardinality(recipients)),
  constraint sms_campaigns_blocked_have_a_rule check ((status = 'blocked') = (blocked_by is not null)),
  constraint sms_campaigns_blocked_cost_nothing check (credits_charged = case when status = 'blocked' then 0 else segments * recipients_count end),
  constraint sms_campaigns_settled_have_their_time check ((status in ('completed', 'failed')) = (settled_at is not null)),
  constraint sms_campaigns_settled_are_not_open check (settled_at is null or open_count = 0),
  constraint sms_campaigns_open_count_not_negative check (open_count >= 0)
) with (fillfactor = 70);
create index sms_campaigns_of_an_account on sms_campaigns (account_id, id);
create index sms_campaigns_to_expand on sms_campaigns (is_bulk, id) where status = 'queued';
create index sms_campaigns_in_work on sms_campaigns (id) where status = 'processing';

-- One row per recipient. `submit` is where its handing over stands: `claimed` by a link and perhaps sent,
-- `unanswered` when nobody knows whether the supplier took it, `answered` for good.
create table sms_messages (
  campaign_id uuid not null,
  n integer not null,
  recipient text not null,
  network text not null,
  is_bulk boolean not null,
  status text not null default 'queued',
  submit text not null default 'waiting',
  -- Suppliers that refused us, not the message: it is offered to them no more.
  refused_by jsonb not null default '[]',
  supplier text,
  claimed_at timestamptz,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  status_updated_at timestamptz not null default clock_timestamp(),
  primary key (campaign_id, n),
  constraint sms_messages_status_is_known
    check (status in ('queued', 'sent', 'delivered', 'undelivered', 'failed', 'expired', 'rejected')),
  constraint sms_messages_submit_is_known check (submit in ('waiting', 'claimed', 'unanswered', 'answered')),
  constraint sms_messages_answered_have_left_the_queue check ((submit = 'answered') = (status <> 'queued')),
  constraint sms_messages_waiting_belong_to_nobody check (submit <> 'waiting' or supplier is null)
) with (fillfactor = 70);
create index sms_messages_waiting on sms_messages (is_bulk, campaign_id, n) where submit = 'waiting';
create index sms_messages_without_answer on sms_messages (supplier, claimed_at) where submit in ('claimed', 'unanswered');

-- One row per part that a supplier took. `message_key` is the supplier's id in one spelling: lower case, no leading zeros.
create table sms_parts (
  campaign_id uuid not null,
  n integer not null,
  part_no integer not null,
  supplier text not null,
  message_key text not null,
  -- The recipient's last nine digits, which every way of writing a Ghanaian number shares.
  recipient_tail text not null,
  state text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (campaign_id, n, part_no),
  constraint sms_parts_state_is_known check (state in ('delivered', 'undelivered', 'expired', 'rejected'))
) with (fillfactor = 70);
create index sms_parts_by_message_key on sms_parts (supplier, message_key);
create index sms_parts_by_age on sms_parts (created_at);

-- Every delivery receipt, as it came. One that is not matched yet came before the answer to its submit, or is not ours.
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
create index sms_receipts_not_matched on sms_receipts (supplier, received_at) where matched_at is null;
create index sms_receipts_by_age on sms_receipts (received_at);

-- Which links stand: written by the process that holds one, read by all before they choose a route.
create table sms_links (
  supplier text primary key,
  state text not null,
  seen_at timestamptz not null default clock_timestamp(),
  constraint sms_links_state_is_known check (state in ('bound', 'down'))
);

grant select, insert, update on sms_senders, sms_campaigns, sms_messages, sms_links to makola_app;
grant select, insert, update, delete on sms_parts, sms_receipts to makola_app;
