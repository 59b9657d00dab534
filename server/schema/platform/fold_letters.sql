-- A text with plain small letters: accents are taken off, and letters of Ghanaian alphabets become the Latin ones that
-- people type for them: "kwabena" finds Kwabɛna, "cafe" finds Café. Plain SQL, because a hosted database may not allow the
-- extension `unaccent`.
create function fold_letters(words text) returns text
language sql immutable strict parallel safe as $$
  select lower(translate(regexp_replace(normalize(words, NFKD), '[\u0300-\u036f]', '', 'g'),
    'ƐɛƆɔŊŋƉɖƑƒƔɣƲʋƁɓƊɗƘƙƷʒƖɩƱʊØøŁłĐđı', 'EeOoNnDdFfGgVvBbDdKkZzIiUuOoLlDdi'))
$$;
