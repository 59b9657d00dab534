-- Refuses to decide a proposal twice, and to change a proposal or its decision.
create function keep_approvals() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' or new.state = 'pending'
    or (new.id, new.kind, new.key, new.subject, new.request, new.reason, new.before, new.after,
        new.proposed_by, new.proposed_os_user, new.proposed_person_id, new.created_at, new.expires_at)
      is distinct from
       (old.id, old.kind, old.key, old.subject, old.request, old.reason, old.before, old.after,
        old.proposed_by, old.proposed_os_user, old.proposed_person_id, old.created_at, old.expires_at) then
    raise exception 'a proposal is decided once and never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
