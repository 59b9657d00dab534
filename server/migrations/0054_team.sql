-- A code of an authenticator app works once: the half minute that a person's last code was for, counted since 1970.
-- A code of the same half minute or an earlier one is refused. A process that does not know the column yet lets a code
-- work twice, as before.
alter table person_two_factors add column last_code_step bigint;

-- Who was asked by an owner to join an account. Nobody is a member before the link of the mail was opened, so that
-- nobody is made to act for an account of strangers. The link's token is stored as its SHA-256; the worker makes it
-- when the mail leaves.
create table member_invitations (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- In small letters.
  email text not null,
  role text not null,
  -- Who invited, as the operator's log names people.
  actor text not null,
  token_digest bytea,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  constraint member_invitations_one_per_email_and_account unique (account_id, email),
  constraint member_invitations_token_is_unique unique (token_digest),
  constraint member_invitations_role_is_known check (role in ('owner', 'buyer', 'viewer'))
);
create index member_invitations_by_end on member_invitations (expires_at);
grant select, insert, update, delete on member_invitations to makola_app;

-- The mail of an invitation says which one it is about; deleting the invitation leaves the mail with nothing to say.
alter table person_mails
  add column invitation_id uuid references member_invitations (id) on delete set null,
  drop constraint person_mails_kind_is_known,
  add constraint person_mails_kind_is_known
    check (kind in ('sign_up', 'forgot_password', 'password_changed', 'invitation'));
create index person_mails_of_an_invitation on person_mails (invitation_id) where invitation_id is not null;
