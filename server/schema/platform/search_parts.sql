-- The parts by which a text is found: every three characters in a row. Callers put a blank before the text, so that two
-- characters find a word that begins with them. The high cost makes the planner prefer an index to calling this function for each
-- row. No extension, because the role of a hosted database may not be allowed to install one.
create function search_parts(words text) returns text[]
language sql immutable strict parallel safe cost 10000 as $$
  select array(select substr(words, place, 3) from generate_series(1, length(words) - 2) as place)
$$;
