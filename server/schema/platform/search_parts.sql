-- The parts of a text by which it is found: every three characters in a row. A word begins after a blank, so a text that
-- begins with one is also found by two characters with which a word begins. The cost says that reading an index is cheaper
-- than calling this for each row. No extension, because the role of a hosted database may not be allowed to install one.
create function search_parts(words text) returns text[]
language sql immutable strict parallel safe cost 10000 as $$
  select array(select substr(words, place, 3) from generate_series(1, length(words) - 2) as place)
$$;
