-- A text in small letters without accents, with the letters of Ghanaian alphabets replaced by the Latin letters that people type
-- for them: "kwabena" finds Kwabɛna, "cafe" finds Café. Plain SQL, because a hosted database may not allow the extension
-- `unaccent`. Most texts are plain letters: a search among 100,000 accounts takes a quarter of the time where these are not
-- taken apart. Not `strict`, because PostgreSQL would then call it for each row instead of putting its expression in its place.
create function fold_letters(words text) returns text
language sql immutable parallel safe as $$
  select lower(case when octet_length(words) = length(words) then words
    else translate(regexp_replace(normalize(words, NFKD), '[\u0300-\u036f]', '', 'g'),
      'ƐɛƆɔŊŋƉɖƑƒƔɣƲʋƁɓƊɗƘƙƷʒƖɩƱʊØøŁłĐđı', 'EeOoNnDdFfGgVvBbDdKkZzIiUuOoLlDdi') end)
$$;
