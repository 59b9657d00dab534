create table number_keys (
  name text primary key,
  key text not null,
  made_at timestamptz not null default now()
);
comment on table number_keys is
  'The key of the hashes of forgotten numbers, sealed with the secrets key. It is made once and stays when the secrets key changes,
because nobody could make the hash of a forgotten number anew.
Grows: one row for ever.';
grant select, insert, update on number_keys to makola_app;

create table forgetting_progress (
  name text primary key,
  through text not null
);
comment on table forgetting_progress is
  'How far each kind of old personal data is forgotten. A step that forgets some rows moves it in its own transaction, so a step
that is broken off is done again, and two workers never do the same step.
Grows: one row per kind of data.';
comment on column forgetting_progress.through is
  'The id of the last row that was looked at; empty before the first. Delete the row to have all old rows looked at again.';
grant select, insert, update, delete on forgetting_progress to makola_app;
