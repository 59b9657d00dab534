-- Mails to persons, written by the request that asked for them. A row says to whom and why, and nothing secret: the
-- worker makes the link when it sends the mail. Whether the address is known is found out only then, so that the
-- request does the same work for every address. Only new tables: nothing that sells is locked.
create table person_mails (
  id uuid primary key,
  email text not null,
  kind text not null,
  state text not null default 'queued',
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz,
  subject text,
  -- With the simulator and without a mail server, the text is kept here, sealed, and shown in the browser.
  kept_text text,
  -- Why the last try failed, in words that name neither the address nor the text.
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint person_mails_kind_is_known check (kind in ('sign_up', 'forgot_password', 'password_changed')),
  constraint person_mails_state_is_known check (state in ('queued', 'sending', 'sent', 'kept', 'dropped', 'failed')),
  constraint person_mails_sending_has_a_lease check ((state = 'sending') = (lease_until is not null)),
  constraint person_mails_ended_has_its_time check ((state in ('queued', 'sending')) = (ended_at is null)),
  constraint person_mails_kept_has_its_text check ((state = 'kept') = (kept_text is not null))
);
create index person_mails_waiting on person_mails (next_try_at) where state in ('queued', 'sending');
create index person_mails_ended on person_mails (ended_at) where ended_at is not null;

grant select, insert, update, delete on person_mails to makola_app;
