create table secret_canaries (
  key_id text primary key,
  ciphertext text not null,
  created_at timestamptz not null default now()
);
comment on table secret_canaries is
  'A known text sealed with a key in use. A process that was started with another key fails at once, instead of at the first
voucher that it cannot unseal.
Grows: one row per key in use.';
grant select, insert, delete on secret_canaries to makola_app;
