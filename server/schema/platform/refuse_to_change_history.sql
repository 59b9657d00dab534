-- The trigger of tables whose rows nobody may change.
create function refuse_to_change_history() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are history and are never changed', tg_table_name
    using errcode = 'restrict_violation';
end $$;
