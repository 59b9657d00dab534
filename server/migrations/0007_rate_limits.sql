-- Requests per key and budget in the running minute, shared by all API processes. Unlogged: after a
-- crash of the database every count begins anew, which costs nobody anything. The columns are those
-- the library rate-limiter-flexible reads and writes, in this order.
create unlogged table rate_limits (
  key text primary key,
  points integer not null,
  expire bigint not null
) with (fillfactor = 50);

grant select, insert, update, delete on rate_limits to makola_app;
