-- Mails to whoever is let in at the desk, and to persons whose second factor the operator took away.
alter table person_mails
  drop constraint person_mails_kind_is_known,
  add constraint person_mails_kind_is_known
    check (kind in ('sign_up', 'forgot_password', 'password_changed', 'invitation', 'staff_invitation', 'second_factor_reset'));
