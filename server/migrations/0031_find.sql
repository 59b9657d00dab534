-- outside a transaction
-- What `makola find` looks for, each through an index. None of them is written by a purchase of data or airtime.

-- References of bills and campaigns, whoever's they are.
drop index concurrently if exists account_references_by_reference;
create index concurrently account_references_by_reference on account_references (reference);

-- A supplier's reference comes with its answers. `attempts` has it too, but is updated: an index there would cost more.
drop index concurrently if exists attempt_answers_by_supplier_reference;
create index concurrently attempt_answers_by_supplier_reference on attempt_answers (supplier_reference)
  where supplier_reference is not null;

-- Words of a name and of an e-mail, by their beginnings.
drop index concurrently if exists accounts_by_words;
create index concurrently accounts_by_words on accounts
  using gin (to_tsvector('simple', name || ' ' || translate(email, '@.+-_', '     ')));

drop index concurrently if exists api_keys_by_hint;
create index concurrently api_keys_by_hint on api_keys (hint, id);

drop index concurrently if exists commission_moves_by_external_id;
create index concurrently commission_moves_by_external_id on commission_moves (external_id) where external_id is not null;

drop index concurrently if exists withdrawn_vouchers_by_serial_number;
create index concurrently withdrawn_vouchers_by_serial_number on withdrawn_vouchers (type_id, serial_number_hash);
