-- Prices that come into force together at a minute which a person chose. The worker carries a set out, whole, in one
-- transaction.
create table scheduled_price_sets (
  id uuid primary key,
  effective_at timestamptz not null,
  state text not null default 'waiting',
  note text,
  -- Whether the person insisted on prices below a supplier's cost.
  is_below_cost_allowed boolean not null,
  made_by text not null,
  made_at timestamptz not null default clock_timestamp(),
  -- Why it was not carried out at its minute.
  held_because text,
  -- When it was carried out or cancelled, and by whom.
  ended_at timestamptz,
  ended_by text,
  constraint scheduled_price_sets_have_a_known_state check (state in ('waiting', 'held', 'done', 'cancelled')),
  constraint scheduled_price_sets_begin_with_a_minute check (mod(extract(epoch from effective_at), 60) = 0),
  constraint scheduled_price_sets_say_when_they_ended check ((state in ('done', 'cancelled')) = (ended_at is not null)),
  constraint scheduled_price_sets_say_why_they_are_held check (state <> 'held' or held_because is not null)
);

-- The worker asks every second whether one is due, and the desk lists the newest first.
create index scheduled_price_sets_waiting on scheduled_price_sets (effective_at, id) where state in ('waiting', 'held');
create index scheduled_price_sets_by_time on scheduled_price_sets (effective_at desc, id desc);

-- One price of a set, in pesewas. `before` is what it is expected to be at that minute: the price when the set was made,
-- or what an earlier set makes of it. A set is not carried out over a price that is another by then.
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
create index scheduled_prices_by_package on scheduled_prices (package_id, role);

-- A set that ended stays as it ended.
create function keep_ended_price_sets() returns trigger language plpgsql as $$
begin
  if old.state in ('done', 'cancelled') then
    raise exception 'a set of scheduled prices that is % stays so', old.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger scheduled_price_sets_keep_their_end before update on scheduled_price_sets
  for each row execute function keep_ended_price_sets();

grant select, insert, update on scheduled_price_sets to makola_app;
grant select, insert, update, delete on scheduled_prices to makola_app;
