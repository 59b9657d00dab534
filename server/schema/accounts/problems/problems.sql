create table problems (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  text text not null,
  order_reference text,
  top_up_reference text,
  request_id text,
  reported_by text not null,
  reported_at timestamptz not null default clock_timestamp(),
  state text not null default 'waiting',
  answer text,
  ended_by text,
  ended_at timestamptz,
  forgotten_at timestamptz,
  constraint problems_state_is_known check (state in ('waiting', 'answered', 'closed')),
  constraint problems_ended_have_their_time
    check ((state = 'waiting') = (ended_at is null) and (state = 'waiting') = (ended_by is null)),
  constraint problems_answered_have_an_answer check ((state = 'answered') = (answer is not null)),
  constraint problems_forgotten_have_ended check (forgotten_at is null or ended_at is not null)
);
comment on table problems is
  'What a member of an account reports to the operator from the app, until somebody answers or closes it.
Grows: a row per report, for ever.';
comment on column problems.order_reference is 'The order that was on the screen, as its account calls it.';
comment on column problems.request_id is 'The id of the answer that went wrong, as the log of the processes has it.';
comment on column problems.answer is 'For the reseller to read. Null: it waits, or was closed without an answer.';
comment on column problems.forgotten_at is 'When the text and the answer were forgotten.';

create unique index problems_once_while_waiting on problems
  (account_id, md5(text), coalesce(order_reference, ''), coalesce(top_up_reference, '')) where state = 'waiting';
comment on index problems_once_while_waiting is 'Allows one waiting problem with the same words: a repeated call reports nothing twice.';

create index problems_waiting on problems (reported_at, id) where ended_at is null;
comment on index problems_waiting is 'Serves the list of problems that wait, the longest wait first.';

create index problems_ended on problems (ended_at, id) where ended_at is not null;
comment on index problems_ended is 'Serves the list of ended problems, newest first.';

create index problems_of_an_account on problems (account_id, id);
comment on index problems_of_an_account is 'Serves the problems of one account, newest first.';

create index problems_to_forget on problems (ended_at) where ended_at is not null and forgotten_at is null;
comment on index problems_to_forget is 'Serves the timer that forgets old texts.';

grant select, insert on problems to makola_app;
grant update (text, state, answer, ended_by, ended_at, forgotten_at) on problems to makola_app;
