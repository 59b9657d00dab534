create table orders (
  id uuid primary key,
  account_id uuid not null,
  price bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  kind text not null,
  reference text not null,
  status text not null,
  recipient text not null,
  source text not null default 'api',
  details jsonb not null,
  role text,
  recipient_hash bytea,
  constraint orders_status_is_known
    check (status in ('queued', 'pending', 'processing', 'completed', 'failed', 'refunded', 'cancelled')),
  constraint orders_price_not_negative check (price >= 0)
) partition by range (id);
insert into partitioned_tables values ('orders', 'fillfactor = 50');
comment on table orders is
  'An order of any product. `details` is written by the product when the order is placed. Processes may change its status, but
not what was bought, for whom and at which price. An order is updated twice within seconds, so half of each page is left free:
these updates then touch no index.
Grows: one row per order, for ever, partitioned by month.';
comment on column orders.role is 'The role that decided the price.';
comment on column orders.recipient_hash is
  'The keyed hash of the recipient, once it was forgotten; `recipient` is masked then. Null: not forgotten.';

create index orders_of_an_account_by_age on orders (account_id, id);
comment on index orders_of_an_account_by_age is
  'Serves an account''s orders, newest first. Ids grow with time, so an index that ends with the id is in the order of age.';

create index orders_of_a_bill_reference on orders (reference) where kind = 'utilities';
comment on index orders_of_a_bill_reference is
  'Serves a bill by our reference of it, of which 80 bits are random. The reseller''s own is in account_references.';

create index orders_of_a_bill_by_age on orders (account_id, recipient, created_at) where kind = 'utilities';
comment on index orders_of_a_bill_by_age is
  'Serves the duplicate window: the latest payments of an account to one account number of a biller.';

create index orders_of_airtime_by_age on orders (account_id, created_at) where kind = 'airtime';
comment on index orders_of_airtime_by_age is
  'Serves GET /airtime/orders: an account''s newest ones, however many orders of data lie between them.';

create index orders_of_vouchers_by_account on orders (account_id, created_at, id) where kind = 'results_checker';
comment on index orders_of_vouchers_by_account is
  'Serves the list of an account''s orders of vouchers. Orders of other products do not write to it.';

create index orders_of_afa_by_account on orders (account_id, created_at, id) where kind = 'afa';
comment on index orders_of_afa_by_account is
  'Serves the list of an account''s AFA orders. Orders of other products do not write to it.';

create index orders_of_a_recipient_by_age on orders (recipient, id);
comment on index orders_of_a_recipient_by_age is 'Serves the desk''s list of orders to one number, and `makola find`.';

create index orders_of_a_forgotten_recipient on orders (recipient_hash, id) where recipient_hash is not null;
comment on index orders_of_a_forgotten_recipient is
  'Serves the same for numbers that were forgotten. Purchases do not write to it.';

create index orders_of_a_product_by_age on orders (kind, (coalesce(details ->> 'network', details ->> 'biller', '')), id);
comment on index orders_of_a_product_by_age is
  'Serves the desk''s list of orders of a product and network. For a bill the biller counts as the network; other products
have none.';

create trigger orders_note_what_is_not_refunded after update of status on orders for each row
  when (old.status is distinct from new.status and (old.status = 'failed' or new.status = 'failed') and new.price > 0)
  execute function note_unrefunded_order();
create trigger orders_note_what_came_unrefunded after insert on orders for each row
  when (new.status = 'failed' and new.price > 0) execute function note_unrefunded_order();
grant select, insert on orders to makola_app;
grant update (status, updated_at) on orders to makola_app;

-- Autovacuum visits tables that grow without end after each half million rows, and freezes these. By its usual share of the table
-- it would come ever more rarely, and find ten million at once.
create table order_references (
  reference text collate "C" primary key,
  account_id uuid not null,
  order_id uuid not null,
  kind text not null,
  fingerprint bytea not null
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000, autovacuum_freeze_min_age = 100000);
comment on table order_references is
  'A reference of data, airtime, results checker or AFA. All accounts share one name space, for ever.
Grows: one row per order of these products, for ever.';
comment on column order_references.fingerprint is
  'The first 128 bits of the SHA-256 of the canonical request: a row is kept for ever, so it is narrow.';
create index order_references_by_order on order_references
  using brin (order_id) with (pages_per_range = 32, autosummarize = on);
comment on index order_references_by_order is
  'Serves the audit: the references of a range of orders. Rows are stored in the order of time, as in `transfers_by_time`.';
grant select, insert, update, delete on order_references to makola_app;

-- A sequence of its own: before PostgreSQL 17 a partitioned table has no identity columns.
create sequence order_events_event_no_seq;
create table order_events (
  order_id uuid not null,
  event_no bigint not null default nextval('order_events_event_no_seq'),
  created_at timestamptz not null default clock_timestamp(),
  transaction_id xid8 not null default pg_current_xact_id(),
  era smallint not null default 0,
  from_status text not null,
  to_status text not null,
  reason text,
  actor text not null
) partition by range (order_id);
insert into partitioned_tables values ('order_events', 'fillfactor = 100', true);
alter sequence order_events_event_no_seq owned by order_events.event_no;
grant usage on sequence order_events_event_no_seq to makola_app;
comment on table order_events is
  'A change of an order''s status, in the partition of its order. Never changed, and sealed in a chain.
Grows: two or three rows per order, for ever, partitioned by month.';
comment on column order_events.transaction_id is
  'The transaction that wrote the row. It shows whether a snapshot of the database includes the row.';
comment on column order_events.era is 'See `operator_log.era`.';

create index order_events_of_an_order on order_events (order_id);
comment on index order_events_of_an_order is
  'Serves the history of an order. Numbers come from a sequence, so no key needs to hold them: rows of one order share an entry.';

create index order_events_of_rarer_ends on order_events (to_status, order_id)
  where to_status in ('failed', 'refunded', 'cancelled');
comment on index order_events_of_rarer_ends is
  'Serves the lists of failed, refunded and cancelled orders. Most orders complete, and rows here never change. An index of
`orders` by status would make each update of an order write all its indexes.';

create index order_events_by_time on order_events
  using brin (created_at) with (pages_per_range = 32, autosummarize = on);
comment on index order_events_by_time is
  'Serves reports: the newest rows, or those of one day. Rows are stored in the order of time.';

create index order_events_by_position on order_events
  using brin (((era::bigint << 48) + transaction_id::text::bigint)) with (pages_per_range = 32, autosummarize = on);
comment on index order_events_by_position is
  'Serves sealing and verifying the chain. A BRIN index, which does not slow down orders.';

create trigger order_events_are_append_only before update or delete or truncate on order_events
  for each statement execute function refuse_to_change_history();
grant select, insert on order_events to makola_app;

create table open_orders (
  order_id uuid primary key,
  route text not null,
  next_step_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz not null default '-infinity',
  lease_no bigint not null default 0,
  attempt_no integer,
  hold_reason text,
  our_mistake_since timestamptz,
  is_question boolean not null default false
) with (fillfactor = 50);
comment on table open_orders is
  'The place of an open order in the schedule: written with the order, deleted by the transaction that ends it. It is updated
several times within seconds, so half of each page is left free: these updates then touch no index.
Grows: one row per order that has not ended.';
comment on column open_orders.attempt_no is
  'Null: the next step is to send. Otherwise the next step is to ask about this attempt.';
comment on column open_orders.our_mistake_since is
  'The time since when the order waits for our own mistake to be mended. Null: it never waited for that.';
comment on column open_orders.is_question is
  'Whether the next step is a question. Written together with the time of the next step, so it may be older than `attempt_no`:
an order whose worker died in between counts as one to be sent. It comes first among those, because its step was due earlier.';

create index open_orders_waiting_for_registration on open_orders (next_step_at) where hold_reason = 'not_registered';
comment on index open_orders_waiting_for_registration is
  'Serves the claim of orders that wait for the registration of their number, whatever their route.';

create index open_orders_by_our_mistake on open_orders (our_mistake_since) where our_mistake_since is not null;
comment on index open_orders_by_our_mistake is 'Serves the timer that ends orders which waited too long for a mistake of ours.';

create index open_orders_held on open_orders (order_id)
  where hold_reason is not null and hold_reason <> 'not_registered';
comment on index open_orders_held is
  'Serves the list of stuck orders for the staff. A row is here only while it is held, so a purchase does not write to it.';

create index open_orders_by_next_step on open_orders (route, is_question, next_step_at);
comment on index open_orders_by_next_step is
  'Serves the claim of due orders, with questions apart from sends, so that a long queue of sends does not delay questions.';

grant select, insert, update, delete on open_orders to makola_app;

create table attempts (
  order_id uuid not null,
  attempt_no integer not null,
  asks integer not null default 0,
  send_before timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  expected_cost bigint,
  supplier text not null,
  outgoing_reference text not null,
  outcome text,
  supplier_reference text,
  primary key (order_id, attempt_no)
) partition by range (order_id);
insert into partitioned_tables values ('attempts', 'fillfactor = 50', true);
comment on table attempts is
  'One attempt to have a supplier fulfil an order, committed before anything is sent. It is updated three times within
seconds, so half of each page is left free: these updates then touch no index.
Grows: a row per order, and one more per supplier asked after it, for ever, partitioned by the month of the order.';
comment on column attempts.outgoing_reference is
  'Begins with the 12 digits of the order''s time, by which the attempt is found (`order_bound_of`), so it needs no index. Unique,
because it is calculated from the order, the supplier and the number of the order''s attempts there.';
comment on column attempts.expected_cost is
  'The expected cost in pesewas, by the supplier''s price when the attempt began. Null: the price was not known.';

create index attempts_of_a_supplier_by_age on attempts (supplier, order_id);
comment on index attempts_of_a_supplier_by_age is 'Serves the desk''s list of orders at one supplier.';

create index attempts_by_time on attempts using brin (created_at) with (pages_per_range = 32, autosummarize = on);
comment on index attempts_by_time is
  'Serves the figures of suppliers'' hours, and the comparison of statements and floats: the attempts of a period. Rows are stored
in the order of time. An order may be sent a month after it was placed, so its id does not tell when.';

grant select, insert on attempts to makola_app;
grant update (send_before, outcome, supplier_reference, answered_at, asks) on attempts to makola_app;

-- A sequence of its own, as for `order_events`.
create sequence attempt_answers_answer_no_seq;
create table attempt_answers (
  order_id uuid not null,
  answer_no bigint not null default nextval('attempt_answers_answer_no_seq'),
  created_at timestamptz not null default clock_timestamp(),
  reported_cost bigint,
  reported_commission bigint,
  attempt_no integer not null,
  source text not null,
  answer text not null,
  evidence bytea not null,
  supplier_reference text,
  account_name text,
  constraint attempt_answers_source_is_known check (source in ('send', 'resend', 'status', 'callback', 'person'))
) partition by range (order_id);
insert into partitioned_tables values ('attempt_answers', 'fillfactor = 100', true);
alter sequence attempt_answers_answer_no_seq owned by attempt_answers.answer_no;
grant usage on sequence attempt_answers_answer_no_seq to makola_app;
comment on table attempt_answers is
  'An answer of a supplier (or a person) about an attempt. Never changed, except that its evidence is forgotten in time.
Grows: two or three rows per attempt, for ever, partitioned by the month of the order.';
comment on column attempt_answers.source is
  'How the answer came. `resend`: the same reference was sent again in order to ask.';
comment on column attempt_answers.evidence is
  'What the supplier said, packed: `makola order show` and the desk read it. A first byte below 32 is the number of the list
of phrases for which codes stand in the rest; all else is text in UTF-8, as is `forgotten`.';
comment on column attempt_answers.supplier_reference is
  'The supplier''s own reference. Null: the answer had none, or the one that the attempt has already.';
comment on column attempt_answers.account_name is
  'The holder of the paid account, as the supplier reported it; null when it reported none.';

create index attempt_answers_of_an_order on attempt_answers (order_id);
comment on index attempt_answers_of_an_order is 'Serves the answers about an order. See `order_events_of_an_order`.';

create index attempt_answers_by_supplier_reference on attempt_answers (supplier_reference)
  where supplier_reference is not null;
comment on index attempt_answers_by_supplier_reference is
  'Serves `makola find` with a supplier''s reference. Rows of `attempts` have it too, but are updated, so an index there would
cost more. A reference that comes again with each answer stands here once.';

-- `evidence` and `account_name` are forgotten in time, by functions of the owner.
create trigger attempt_answers_are_append_only
  before update of order_id, answer_no, attempt_no, source, answer, supplier_reference, reported_cost, reported_commission, created_at
  or delete or truncate on attempt_answers
  for each statement execute function refuse_to_change_history();
grant select, insert on attempt_answers to makola_app;

create table contradictions (
  id uuid primary key,
  order_id uuid not null,
  attempt_no integer,
  status text not null,
  evidence text not null,
  created_at timestamptz not null default clock_timestamp()
);
comment on table contradictions is
  'Evidence that contradicts the end of an order. Changes nothing by itself.
Grows: a row per contradiction, rarely, for ever.';

create index contradictions_of_an_order on contradictions (order_id);
comment on index contradictions_of_an_order is 'Serves the contradictions of an order, and the list of orders that have one.';

grant select, insert on contradictions to makola_app;

-- See `order_references` for its settings.
create table account_references (
  account_id uuid not null,
  service text not null,
  reference text collate "C" not null,
  order_id uuid not null,
  kind text not null,
  fingerprint bytea not null,
  primary key (account_id, service, reference)
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000, autovacuum_freeze_min_age = 100000);
comment on table account_references is
  'A reference of a bill or a campaign, in the account''s own name space, beside `order_references`. Read and written under
the lock of the paying wallet, so no transaction waits for another one here.
Grows: one row per order of these products, for ever.';

create unique index account_references_one_per_order on account_references (order_id);
comment on index account_references_one_per_order is
  'Allows one reference per order; serves reading the reference of an order.';

create index account_references_by_reference on account_references (reference);
comment on index account_references_by_reference is
  'Serves `makola find` with the reference of a bill or campaign of any account.';

grant select, insert on account_references to makola_app;

create table orders_of_persons (
  order_id uuid primary key,
  person_id uuid not null references persons (id)
);
comment on table orders_of_persons is
  'The person who placed an order in the dashboard. A table of its own, so that orders of programs write nothing here. No
foreign key to the order, which would hold back the removal of an old partition of `orders`.
Grows: a row per order of a person, for ever.';

create index orders_of_persons_by_person on orders_of_persons (person_id, order_id);
comment on index orders_of_persons_by_person is 'Serves the check whether a person has ordered before.';

grant select, insert on orders_of_persons to makola_app;

create table spending_limits (
  account_id uuid not null,
  person_id uuid not null references persons (id),
  per_day bigint not null,
  spent_on date not null,
  spent bigint not null,
  set_by text not null,
  set_at timestamptz not null default clock_timestamp(),
  primary key (account_id, person_id),
  constraint spending_limits_are_kept check (per_day >= 0 and spent >= 0)
);
comment on table spending_limits is
  'What a member may spend of the account''s main wallet on a day in Accra. Read and written under the lock of that wallet, so two
purchases at once cannot both use what is left.
Grows: a row per member whom the owner limited.';
comment on column spending_limits.per_day is 'In pesewas.';
comment on column spending_limits.spent is
  'Pesewas spent on `spent_on`; on a later day nothing is spent yet. A refund gives nothing back to it.';

grant select, insert, update, delete on spending_limits to makola_app;

create table order_reports (
  order_id uuid primary key,
  account_id uuid not null,
  reason text not null,
  status_then text not null,
  reported_by text not null,
  reported_at timestamptz not null default clock_timestamp(),
  answer text,
  answered_by text,
  answered_at timestamptz,
  found text,
  constraint order_reports_answered_have_all_of_it
    check ((answer is null) = (answered_by is null) and (answer is null) = (answered_at is null)),
  constraint order_reports_found_is_known check (found in ('delivered', 'not_delivered', 'unclear')),
  constraint order_reports_found_with_an_answer check (found is null or answer is not null)
);
comment on table order_reports is
  'A reseller''s report that an order did not arrive, once per order, and the operator''s answer. No foreign key to the order,
so that purchases never wait for this table.
Grows: a row per reported order, for ever.';
comment on column order_reports.reason is 'The reseller''s text; may be empty.';
comment on column order_reports.status_then is 'The status of the order at the time of the report.';
comment on column order_reports.found is 'The operator''s finding, beside the text for the reseller.';

create index order_reports_waiting on order_reports (reported_at, order_id) where answered_at is null;
comment on index order_reports_waiting is 'Serves the list of reports that wait for an answer, oldest first.';

create index order_reports_answered on order_reports (answered_at, order_id) where answered_at is not null;
comment on index order_reports_answered is 'Serves the list of answered reports, newest answer first.';

grant select, insert on order_reports to makola_app;
grant update (answer, answered_by, answered_at, found) on order_reports to makola_app;

create table unrefunded_orders (
  order_id uuid primary key,
  failed_at timestamptz not null default clock_timestamp()
);
comment on table unrefunded_orders is
  'An order that failed and is not refunded: it waits for a person. A table of its own, because an index on `orders.status`
would make every move of every order write all indexes of the table.
Grows: as long as nobody refunds; normally empty.';

create index unrefunded_orders_by_age on unrefunded_orders (failed_at, order_id);
comment on index unrefunded_orders_by_age is 'Serves the list of unrefunded orders for the staff, oldest first.';

grant select, insert, delete on unrefunded_orders to makola_app;

create table orders_to_forget (order_id uuid primary key);
comment on table orders_to_forget is
  'An order that was still open when it was old enough to be forgotten. It is forgotten after its end.
Grows: rarely; normally empty.';
grant select, insert, delete on orders_to_forget to makola_app;

create table unit_costs (
  cost_no bigint generated always as identity primary key,
  product text not null,
  key text not null,
  pesewas numeric(14, 4) not null,
  percent numeric(7, 4) not null default 0,
  valid_from timestamptz not null,
  note text,
  actor text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint unit_costs_are_not_below_zero check (pesewas >= 0 and percent >= 0 and percent <= 100)
);
comment on table unit_costs is
  'The cost of a unit that no supplier reports: a voucher of a batch or a type, a registration, a segment at a link, or the
fee of a payment gateway. The newest row that is valid at a moment counts, so the table is also the history.
Grows: a row per cost that somebody entered, for ever.';
comment on column unit_costs.pesewas is 'Pesewas per unit; for SMS usually parts of a pesewa.';
comment on column unit_costs.percent is 'Percent of the amount that a payer pays through a gateway.';

create index unit_costs_by_age on unit_costs (product, key, valid_from desc, cost_no desc);
comment on index unit_costs_by_age is 'Serves the cost of a unit at a moment.';

create trigger unit_costs_are_append_only before update or delete or truncate on unit_costs
  for each statement execute function refuse_to_change_history();
grant select, insert on unit_costs to makola_app;

create table cost_recounts (since date primary key);
comment on table cost_recounts is
  'The day of a changed cost: the worker counts the costs from this day on again.
Grows: removed when counted; normally empty.';
grant select, insert, update, delete on cost_recounts to makola_app;

-- The desk watches the present values of these sequences: a higher value means that rows were added.
grant select on sequence order_events_event_no_seq, attempt_answers_answer_no_seq to makola_app;
