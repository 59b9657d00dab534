-- When the heads of the chains were last sent over a channel of the alerts.
create table chain_heads_sent (
  channel text primary key,
  sent_at timestamptz not null
);
grant select, insert, update on chain_heads_sent to makola_app;
