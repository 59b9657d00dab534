-- One row per order of any product. `details` is what the product's kind froze when it was placed.
create table orders (
  id uuid primary key,
  account_id uuid not null,
  kind text not null,
  reference text not null,
  status text not null,
  price bigint not null,
  recipient text not null,
  source text not null default 'api',
  details jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint orders_status_is_known check (status in ('queued', 'pending', 'processing', 'completed', 'failed', 'refunded', 'cancelled')),
  constraint orders_price_not_negative check (price >= 0)
) with (fillfactor = 75);
create index orders_of_an_account_by_age on orders (account_id, id);

-- The one name space of references shared by data, airtime, results checker and AFA, over all accounts
-- and for ever. `fingerprint` is the SHA-256 of the canonical request.
create table order_references (
  reference text collate "C" primary key,
  account_id uuid not null,
  order_id uuid not null,
  kind text not null,
  fingerprint bytea not null
);

-- Every move after an order's birth. Append-only.
create table order_events (
  order_id uuid not null,
  event_no bigint generated always as identity,
  from_status text not null,
  to_status text not null,
  reason text,
  actor text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (order_id, event_no)
);
create trigger order_events_are_append_only before update or delete or truncate on order_events
  for each statement execute function refuse_to_change_history();

-- The orders' own schedule: a row is born with its order and deleted by the transaction that ends it.
-- `attempt_id` null: the next step is to send; otherwise to ask what became of that attempt.
create table open_orders (
  order_id uuid primary key,
  route text not null,
  next_step_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz not null default '-infinity',
  lease_no bigint not null default 0,
  attempt_id uuid,
  hold_reason text
) with (fillfactor = 75);
create index open_orders_by_route_and_time on open_orders (route, next_step_at);

-- One row per attempt to have a supplier fulfil an order, committed before anything is sent.
create table attempts (
  id uuid primary key,
  order_id uuid not null,
  attempt_no integer not null,
  supplier text not null,
  outgoing_reference text not null,
  send_before timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  outcome text,
  supplier_reference text,
  answered_at timestamptz,
  asks integer not null default 0,
  constraint attempts_once_per_number unique (order_id, attempt_no),
  constraint attempts_outgoing_reference_is_unique unique (supplier, outgoing_reference)
) with (fillfactor = 75);

-- Everything a supplier (or a person) ever said about an attempt. Append-only.
create table attempt_answers (
  attempt_id uuid not null,
  answer_no bigint generated always as identity,
  source text not null,
  answer text not null,
  evidence text not null,
  supplier_reference text,
  reported_cost bigint,
  reported_commission bigint,
  created_at timestamptz not null default clock_timestamp(),
  primary key (attempt_id, answer_no),
  constraint attempt_answers_source_is_known check (source in ('send', 'status', 'callback', 'person'))
);
create trigger attempt_answers_are_append_only before update or delete or truncate on attempt_answers
  for each statement execute function refuse_to_change_history();

-- Evidence that contradicts an order's terminal state. Changes nothing by itself.
create table contradictions (
  id uuid primary key,
  order_id uuid not null,
  attempt_id uuid,
  status text not null,
  evidence text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- An operator's proposal to settle a stuck order; a second person confirms it.
create table settlement_proposals (
  id uuid primary key,
  order_id uuid not null,
  outcome text not null,
  evidence text not null,
  proposed_by text not null,
  proposed_at timestamptz not null default now(),
  confirmed_by text,
  confirmed_at timestamptz,
  constraint settlement_proposals_outcome_is_known check (outcome in ('completed', 'failed')),
  constraint settlement_proposals_take_two_people check (confirmed_by <> proposed_by)
);
create unique index settlement_proposals_one_open_per_order on settlement_proposals (order_id) where confirmed_at is null;

grant select, insert, update on orders to makola_app;
grant select, insert, update, delete on order_references, open_orders to makola_app;
grant select, insert, update on attempts, settlement_proposals to makola_app;
grant select, insert on order_events, attempt_answers, contradictions to makola_app;
