-- A known text sealed with each key in use. A process started with another key finds out here, at
-- once, instead of at the first voucher it cannot open.
create table secret_canaries (
  key_id text primary key,
  ciphertext text not null,
  created_at timestamptz not null default now()
);

grant select, insert, delete on secret_canaries to makola_app;
