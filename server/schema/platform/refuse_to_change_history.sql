-- The trigger of tables whose rows are never changed, whoever asks.
create function refuse_to_change_history() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are history and are never changed', tg_table_name
    using errcode = 'restrict_violation';
end $$;
