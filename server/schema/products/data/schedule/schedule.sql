create table scheduled_price_sets (
  id uuid primary key,
  effective_at timestamptz not null,
  state text not null default 'waiting',
  note text,
  is_below_cost_allowed boolean not null,
  made_by text not null,
  made_at timestamptz not null default clock_timestamp(),
  held_because text,
  ended_at timestamptz,
  ended_by text,
  constraint scheduled_price_sets_have_a_known_state check (state in ('waiting', 'held', 'done', 'cancelled')),
  constraint scheduled_price_sets_begin_with_a_minute check (mod(extract(epoch from effective_at), 60) = 0),
  constraint scheduled_price_sets_say_when_they_ended check ((state in ('done', 'cancelled')) = (ended_at is not null)),
  constraint scheduled_price_sets_say_why_they_are_held check (state <> 'held' or held_because is not null)
);
comment on table scheduled_price_sets is
  'Prices that come into force together at a minute that a person chose. The worker carries out the whole set in one
transaction.
Grows: a row per set, for ever.';
comment on column scheduled_price_sets.is_below_cost_allowed is 'Whether the person insisted on prices below a supplier''s cost.';
comment on column scheduled_price_sets.held_because is 'The reason why it was not carried out at its minute.';
comment on column scheduled_price_sets.ended_at is 'The time at which it was carried out or cancelled, by `ended_by`.';

create index scheduled_price_sets_waiting on scheduled_price_sets (effective_at, id) where state in ('waiting', 'held');
comment on index scheduled_price_sets_waiting is 'Serves the worker, which asks every second whether a set is due.';

create index scheduled_price_sets_by_time on scheduled_price_sets (effective_at desc, id desc);
comment on index scheduled_price_sets_by_time is 'Serves the desk''s list of sets, newest first.';

create trigger scheduled_price_sets_keep_their_end before update on scheduled_price_sets
  for each row execute function keep_ended_price_sets();
grant select, insert, update on scheduled_price_sets to makola_app;

create table scheduled_prices (
  set_id uuid not null references scheduled_price_sets (id),
  package_id uuid not null references packages (id),
  role text not null,
  before bigint not null,
  after bigint not null,
  primary key (set_id, package_id, role),
  constraint scheduled_prices_are_for_a_role check (role in ('customer', 'agent', 'dealer')),
  constraint scheduled_prices_are_positive check (before > 0 and after > 0)
);
comment on table scheduled_prices is
  'One price of a set, in pesewas.
Grows: a row per price of a set, for ever.';
comment on column scheduled_prices.before is
  'The price that is expected at that minute: the price when the set was made, or that of an earlier set. If the price is
another one by then, the set is not carried out.';

create index scheduled_prices_by_package on scheduled_prices (package_id, role);
comment on index scheduled_prices_by_package is 'Serves the waiting prices of one package.';

grant select, insert, update, delete on scheduled_prices to makola_app;
