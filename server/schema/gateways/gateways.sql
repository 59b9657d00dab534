create table gateways (
  name text primary key,
  is_enabled boolean not null default true,
  base_url text not null,
  credentials text not null,
  updated_at timestamptz not null default clock_timestamp()
);
comment on table gateways is
  'A payment gateway that takes resellers'' top-ups and at which the operator has an account. The credentials are sealed.
Grows: one row per gateway.';
grant select, insert, update on gateways to makola_app;

create table proposed_gateway_credentials (
  name text primary key,
  id uuid not null,
  credentials text not null
);
comment on table proposed_gateway_credentials is
  'Credentials of a gateway that wait for a second person, sealed for the gateway''s row.
Grows: at most one row per gateway; removed when the proposal is confirmed, and within hours when it is refused or expires.';
comment on column proposed_gateway_credentials.id is 'The proposal that the credentials wait for has it as `secretId`.';
grant select, insert, update, delete on proposed_gateway_credentials to makola_app;
