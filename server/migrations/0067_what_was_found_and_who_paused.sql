-- What the operator found out about an order that was reported as not delivered, beside the words for the reseller. Null
-- in reports from before.
alter table order_reports
  add column found text,
  add constraint order_reports_found_is_known check (found in ('delivered', 'not_delivered', 'unclear')),
  add constraint order_reports_found_with_an_answer check (found is null or answer is not null);
grant update (found) on order_reports to makola_app;

-- A campaign that the operator paused goes on only when the operator resumes it. The constant default is written into no
-- row. Older processes leave the column as it is.
alter table sms_campaigns add column is_paused_by_operator boolean not null default false;
