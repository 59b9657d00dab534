-- What two people decide about orders waits in `approvals`, as everything else that takes two. Nothing reads
-- `settlement_proposals` any more but processes of before; for them, until a later release drops it, two triggers keep
-- it in step, in both directions. The tables are small, and locked for a moment.
create index approvals_by_key on approvals (key);

-- Proposals that wait get 7 days from now; what was decided keeps its times. Whoever signed with another spelling of
-- their own name is not copied, and found by the audit.
insert into approvals (id, kind, key, subject, request, reason, proposed_by, proposed_os_user, created_at, expires_at,
  state, decided_by, decided_os_user, decided_at)
select proposal.id,
  case outcome when 'adjusted' then 'order adjust' when 'refunded' then 'order take-back' else 'order settle' end,
  order_id::text, orders.reference,
  jsonb_build_object('orderId', order_id, 'reference', orders.reference)
    || case outcome when 'adjusted' then jsonb_build_object('amount', amount) when 'refunded' then '{}'
         else jsonb_build_object('outcome', outcome) end,
  evidence, proposed_by, coalesce(proposed_os_user, ''), proposed_at,
  case when confirmed_at is null then now() else proposed_at end + interval '7 days',
  case when confirmed_at is null then 'pending' else 'done' end, confirmed_by, confirmed_os_user, confirmed_at
from settlement_proposals as proposal join orders on orders.id = order_id
where confirmed_by is null or lower(confirmed_by) <> lower(proposed_by);

-- What an older process proposes or confirms.
create function put_into_the_queue() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 then
    return new;
  elsif tg_op = 'INSERT' then
    insert into approvals (id, kind, key, subject, request, reason, proposed_by, proposed_os_user)
    select new.id,
      case new.outcome when 'adjusted' then 'order adjust' when 'refunded' then 'order take-back' else 'order settle' end,
      orders.id::text, orders.reference,
      jsonb_build_object('orderId', orders.id, 'reference', orders.reference)
        || case new.outcome when 'adjusted' then jsonb_build_object('amount', new.amount) when 'refunded' then '{}'
             else jsonb_build_object('outcome', new.outcome) end,
      new.evidence, new.proposed_by, coalesce(new.proposed_os_user, '')
    from orders where orders.id = new.order_id;
  elsif old.confirmed_at is null and new.confirmed_at is not null then
    update approvals
    set state = 'done', decided_by = new.confirmed_by, decided_os_user = new.confirmed_os_user, decided_at = now()
    where id = new.id and state = 'pending' and expires_at > now();
    if not found then
      raise exception 'this proposal waits no more: see makola approvals list --all' using errcode = 'restrict_violation';
    end if;
  else
    raise exception 'a proposal is not changed: refuse it with makola approvals refuse' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger settlement_proposals_stand_in_the_queue before insert or update on settlement_proposals
  for each row execute function put_into_the_queue();

-- What two people agreed on, as older processes' audit looks for it.
create function tell_older_processes() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 then
    return null;
  end if;
  insert into settlement_proposals (id, order_id, outcome, amount, evidence, proposed_by, proposed_at, proposed_os_user,
    confirmed_by, confirmed_at, confirmed_os_user)
  values (new.id, new.key::uuid,
    case new.kind when 'order adjust' then 'adjusted' when 'order take-back' then 'refunded' else new.request ->> 'outcome' end,
    (new.request ->> 'amount')::bigint, new.reason, new.proposed_by, new.created_at, new.proposed_os_user,
    new.decided_by, new.decided_at, new.decided_os_user)
  on conflict (id) do update
  set confirmed_by = excluded.confirmed_by, confirmed_at = excluded.confirmed_at, confirmed_os_user = excluded.confirmed_os_user;
  return null;
end $$;
create trigger approvals_reach_older_processes after update on approvals
  for each row when (new.state = 'done' and new.kind in ('order settle', 'order adjust', 'order take-back'))
  execute function tell_older_processes();
