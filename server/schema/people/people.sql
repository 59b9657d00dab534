create table persons (
  id uuid primary key,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  is_second_factor_due boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint persons_one_per_email unique (email)
);
comment on table persons is
  'A person who signs in with a browser: one of a reseller''s people or of the operator''s staff. The library better-auth
reads and writes this table and the four `person_` tables of sessions, credentials, verifications and two factors. It encrypts
its secrets (TOTP, back-up codes), hashes passwords with scrypt, and hashes the identifiers of links.
Grows: a row per person, for ever.';
comment on column persons.email is 'In small letters.';
comment on column persons.is_second_factor_due is
  'True after a lost second factor was taken away: the person switches a new one on before anything else.';

create index persons_by_folded_parts on persons
  using gin (search_parts(' ' || fold_letters(name || ' ' || email)));
comment on index persons_by_folded_parts is
  'Serves the desk''s search: any three letters in a row of a name or an e-mail, without accents.';

grant select, insert, update on persons to makola_app;

create table person_sessions (
  id uuid primary key,
  person_id uuid not null references persons (id) on delete cascade,
  token text not null,
  ip_address text,
  user_agent text,
  confirmed_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint person_sessions_token_is_unique unique (token)
);
comment on table person_sessions is
  'A signed-in browser. Its cookie holds the token and a signature, which nobody can make from this table.
Grows: a row per sign-in; ended ones are removed.';
comment on column person_sessions.confirmed_at is
  'The time at which the person last gave the password or a code in this session.';

create index person_sessions_of_a_person on person_sessions (person_id);
comment on index person_sessions_of_a_person is 'Serves the sessions of one person.';

create index person_sessions_by_end on person_sessions (expires_at);
comment on index person_sessions_by_end is 'Serves the timer that removes ended sessions.';

grant select, insert, update, delete on person_sessions to makola_app;

create table person_credentials (
  id uuid primary key,
  person_id uuid not null references persons (id) on delete cascade,
  provider text not null,
  subject text not null,
  password text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint person_credentials_one_per_provider unique (person_id, provider)
);
comment on table person_credentials is
  'The password of a person.
Grows: one row per person and way to sign in.';
grant select, insert, update, delete on person_credentials to makola_app;

create table person_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
comment on table person_verifications is
  'A link or code that was sent to a person and not used yet.
Grows: a row per link; used and expired ones are removed.';

create index person_verifications_by_identifier on person_verifications (identifier);
comment on index person_verifications_by_identifier is 'Serves following a link.';

create index person_verifications_by_end on person_verifications (expires_at);
comment on index person_verifications_by_end is 'Serves the timer that removes expired links.';

grant select, insert, update, delete on person_verifications to makola_app;

create table person_two_factors (
  id uuid primary key,
  person_id uuid not null references persons (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  last_code_step bigint,
  constraint person_two_factors_one_per_person unique (person_id)
);
comment on table person_two_factors is
  'The second factor of a person: an authenticator app and back-up codes.
Grows: at most one row per person.';
comment on column person_two_factors.last_code_step is
  'The half minute of the person''s last code, counted since 1970. A code of the same or an earlier half minute is refused, so
that a code works once.';
grant select, insert, update, delete on person_two_factors to makola_app;

create table person_passkeys (
  id uuid primary key,
  person_id uuid not null,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  constraint person_passkeys_credential_is_unique unique (credential_id),
  constraint person_passkeys_stand_beside_codes foreign key (person_id) references person_two_factors (person_id)
    on delete cascade
);
comment on table person_passkeys is
  'A passkey (WebAuthn) of a person, which serves in place of a code of the second factor. There is none without an
authenticator app and back-up codes: it is deleted when the second factor is switched off or taken away.
Grows: at most ten rows per person.';
comment on column person_passkeys.credential_id is 'The id that the authenticator gave it, in base64url.';
comment on column person_passkeys.public_key is 'A COSE key. The private key never leaves the person''s device.';
comment on column person_passkeys.sign_count is
  'The count of the authenticator at the last use. One that does not grow means that the passkey was copied. Many always send 0.';

create index person_passkeys_of_a_person on person_passkeys (person_id);
comment on index person_passkeys_of_a_person is 'Serves the passkeys of one person.';

grant select, insert, update, delete on person_passkeys to makola_app;

create table person_phones (
  person_id uuid primary key references persons (id) on delete cascade,
  phone text,
  confirmed_at timestamptz,
  asked_phone text,
  constraint person_phones_confirmed_has_its_time check ((phone is null) = (confirmed_at is null)),
  constraint person_phones_has_a_number check (phone is not null or asked_phone is not null)
);
comment on table person_phones is
  'The phone number of a person, by which a forgotten password is replaced. It is never a second factor.
Grows: at most one row per person.';
comment on column person_phones.phone is 'As 0XXXXXXXXX. Null: none is confirmed.';
comment on column person_phones.asked_phone is
  'The number that the person typed last and has not confirmed. It serves for nothing until then. Null: none waits.';
grant select, insert, update, delete on person_phones to makola_app;

create table lost_factors (
  id uuid primary key,
  person_id uuid not null references persons (id) on delete cascade,
  asked_at timestamptz not null default clock_timestamp(),
  stop_digest bytea,
  constraint lost_factors_one_per_person unique (person_id),
  constraint lost_factors_token_is_unique unique (stop_digest)
);
comment on table lost_factors is
  'A member of an account who said that the second factor is lost, while that waits for the operator. The row is deleted when the
second factor is taken away, when the person stops it, when the staff refuse it, and when nobody decides in time. The
operator''s log has all of it.
Grows: a row per open case.';
comment on column lost_factors.stop_digest is 'The SHA-256 of the token in the link that stops it. The worker makes the link when it sends the mail.';

create index lost_factors_by_age on lost_factors (asked_at);
comment on index lost_factors_by_age is 'Serves the list of what needs the staff, longest wait first, and the timer that ends old ones.';

grant select, insert, update, delete on lost_factors to makola_app;

create table members (
  person_id uuid not null references persons (id),
  account_id uuid not null references accounts (id),
  role text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint members_one_account_per_person primary key (person_id),
  constraint members_role_is_known check (role in ('owner', 'buyer', 'viewer'))
);
comment on table members is
  'A person who acts for an account. A person acts for one account only, so that nobody has to choose one after signing in.
Grows: at most one row per person.';

create index members_of_an_account on members (account_id);
comment on index members_of_an_account is 'Serves the team of one account.';

grant select, insert, update, delete on members to makola_app;

create table staff (
  person_id uuid not null references persons (id),
  role text not null,
  created_at timestamptz not null default clock_timestamp(),
  directory_subject text,
  constraint staff_directory_subject_is_unique unique (directory_subject),
  constraint staff_once_per_person primary key (person_id),
  constraint staff_role_is_known check (role in ('owner', 'finance', 'support', 'catalogue', 'auditor'))
);
comment on table staff is
  'A person who may sign in at the desk.
Grows: at most one row per person.';
comment on column staff.directory_subject is
  'The person in the directory of the house: its issuer, a space, and the issuer''s id. Null before the first sign-in by it.';
grant select, insert, update, delete on staff to makola_app;

create table member_invitations (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  email text not null,
  role text not null,
  actor text not null,
  token_digest bytea,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  constraint member_invitations_one_per_email_and_account unique (account_id, email),
  constraint member_invitations_token_is_unique unique (token_digest),
  constraint member_invitations_role_is_known check (role in ('owner', 'buyer', 'viewer'))
);
comment on table member_invitations is
  'A person whom an owner invited to an account. The person becomes a member by opening the link of the mail, so that nobody
acts for an account of strangers. The worker makes the link''s token when it sends the mail.
Grows: a row per open invitation; expired ones are removed.';
comment on column member_invitations.email is 'In small letters.';
comment on column member_invitations.actor is 'The inviting person, as the operator''s log names people.';
comment on column member_invitations.token_digest is 'The SHA-256 of the token.';

create index member_invitations_by_end on member_invitations (expires_at);
comment on index member_invitations_by_end is 'Serves the timer that removes expired invitations.';

grant select, insert, update, delete on member_invitations to makola_app;

create table set_up_dismissals (
  person_id uuid primary key references persons (id) on delete cascade,
  dismissed_at timestamptz not null default clock_timestamp()
);
comment on table set_up_dismissals is
  'A person who has hidden the list of first steps.
Grows: at most one row per person.';
grant select, insert on set_up_dismissals to makola_app;

create table account_views (
  session_id uuid primary key,
  person_id uuid not null references persons (id),
  account_id uuid not null references accounts (id),
  started_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  constraint account_views_end_after_they_start check (ends_at > started_at)
);
comment on table account_views is
  'A member of the staff who views an account as its reseller sees it, for some minutes and in one session. A row is an open
view and is deleted when the view ends. The operator''s log has the beginning and the end.
Grows: one row per open view.';

create index account_views_by_end on account_views (ends_at);
comment on index account_views_by_end is 'Serves the timer that removes ended views.';

grant select, insert, update, delete on account_views to makola_app;

create table person_mails (
  id uuid primary key,
  email text not null,
  kind text not null,
  state text not null default 'queued',
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz,
  subject text,
  kept_text text,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  invitation_id uuid references member_invitations (id) on delete set null,
  report_schedule_id uuid references report_schedules (id) on delete set null,
  report_day date,
  approval_id uuid references approvals (id),
  phone text,
  constraint person_mails_kind_is_known check (kind in ('sign_up', 'forgot_password', 'password_changed', 'invitation',
    'staff_invitation', 'second_factor_lost', 'second_factor_reset', 'passkey_added', 'passkey_removed', 'report', 'loosening',
    'phone_code', 'phone_recovery', 'phone_changed')),
  constraint person_mails_state_is_known check (state in ('queued', 'sending', 'sent', 'kept', 'dropped', 'failed')),
  constraint person_mails_sending_has_a_lease check ((state = 'sending') = (lease_until is not null)),
  constraint person_mails_ended_has_its_time check ((state in ('queued', 'sending')) = (ended_at is null)),
  constraint person_mails_kept_has_its_text check ((state = 'kept') = (kept_text is not null))
);
comment on table person_mails is
  'A mail or a text to a person, written by the request that caused it. A row holds no secret: the worker makes the link when it sends
the mail. The worker also looks up whether the address is known, so that the request does the same work for every address.
Grows: a row per mail; ended ones are removed after some days.';
comment on column person_mails.kept_text is
  'The text of the mail, sealed: kept and shown in the browser where an installation has the simulator and no mail server.';
comment on column person_mails.reason is 'The reason why the last try failed, without the address and the text.';
comment on column person_mails.phone is
  'The number to which it goes as a text, as 0XXXXXXXXX. Null: it goes to the e-mail.';
comment on column person_mails.invitation_id is 'The invitation that the mail is about. Null: the mail is not sent any more.';
comment on column person_mails.report_schedule_id is
  'The report that the mail brings, over the period that ends on `report_day`. It is composed when the mail is sent.';

create index person_mails_waiting on person_mails (next_try_at) where state in ('queued', 'sending');
comment on index person_mails_waiting is 'Serves the timer that sends what is due.';

create index person_mails_ended on person_mails (ended_at) where ended_at is not null;
comment on index person_mails_ended is 'Serves the timer that removes old mails.';

create index person_mails_of_an_invitation on person_mails (invitation_id) where invitation_id is not null;
comment on index person_mails_of_an_invitation is 'Serves the end of an invitation, which deletes its mails.';

create index person_mails_of_a_report on person_mails (report_schedule_id) where report_schedule_id is not null;
comment on index person_mails_of_a_report is 'Serves the end of a report schedule, which deletes its mails.';

grant select, insert, update, delete on person_mails to makola_app;
