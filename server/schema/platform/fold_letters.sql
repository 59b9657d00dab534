-- A text in small letters without accents, with the letters of Ghanaian alphabets replaced by the Latin letters that people type
-- for them: "kwabena" finds Kwabɛna, "cafe" finds Café. Plain SQL, because a hosted database may not allow the extension
-- `unaccent`.
create function fold_letters(words text) returns text
language sql immutable strict parallel safe as $$
  select lower(translate(regexp_replace(normalize(words, NFKD), '[\u0300-\u036f]', '', 'g'),
    'ƐɛƆɔŊŋƉɖƑƒƔɣƲʋƁɓƊɗƘƙƷʒƖɩƱʊØøŁłĐđı', 'EeOoNnDdFfGgVvBbDdKkZzIiUuOoLlDdi'))
$$;
