-- Reports that the staff have sent to themselves by e-mail, each after a day, week or month has ended.
create table report_schedules (
  id uuid primary key,
  -- The person who gets it, who is also the one who asked for it.
  email text not null,
  report text not null,
  grouping text not null,
  every text not null,
  hour integer not null,
  next_at timestamptz not null,
  -- The last day of the newest report that was handed to the mails.
  sent_for date,
  created_at timestamptz not null default clock_timestamp(),
  constraint report_schedules_report_is_known check (report in ('sales', 'tax', 'balances', 'float')),
  constraint report_schedules_every_is_known check (every in ('day', 'week', 'month')),
  constraint report_schedules_hour_is_of_a_day check (hour between 0 and 23),
  constraint report_schedules_once unique (email, report, grouping, every)
);
create index report_schedules_due on report_schedules (next_at);
grant select, insert, update, delete on report_schedules to makola_app;

-- A mail with a report names which one, and over which day's end; it is composed when it leaves.
alter table person_mails
  add column report_schedule_id uuid references report_schedules (id) on delete set null,
  add column report_day date,
  drop constraint person_mails_kind_is_known,
  add constraint person_mails_kind_is_known
    check (kind in (
      'sign_up', 'forgot_password', 'password_changed', 'invitation', 'staff_invitation', 'second_factor_reset', 'report'
    ));
create index person_mails_of_a_report on person_mails (report_schedule_id) where report_schedule_id is not null;
