-- Notes that the rows of a month are in files, whose manifest a line of the operator's log names.
create function note_month_written(wanted date, folder text, host text, bytes bigint, manifest_hash text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update put_away_months as month
  set state = 'written', folder = note_month_written.folder, host = note_month_written.host, bytes = note_month_written.bytes,
    manifest_hash = note_month_written.manifest_hash, written_at = clock_timestamp()
  where month.month = wanted and state = 'taken_out'
    and exists (select from operator_log
      where action = 'archive' and details ->> 'manifest_sha256' = note_month_written.manifest_hash);
  if not found then
    raise exception 'the month % does not wait for its files, or no line of the log names them', wanted
      using errcode = 'restrict_violation';
  end if;
end $$;
revoke execute on function note_month_written(date, text, text, bigint, text) from public;
grant execute on function note_month_written(date, text, text, bigint, text) to makola_app;
