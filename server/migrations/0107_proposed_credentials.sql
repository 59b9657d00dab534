-- Credentials that wait for a second person, sealed as they will stand in the row of their gateway or supplier. Null for a
-- supplier: its credentials are dropped, because it moves to another host.
create table proposed_gateway_credentials (
  name text primary key,
  id uuid not null,
  credentials text not null
);
create table proposed_supplier_credentials (
  name text primary key,
  id uuid not null,
  credentials text
);
grant select, insert, update, delete on proposed_gateway_credentials, proposed_supplier_credentials to makola_app;
