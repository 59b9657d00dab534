-- outside a transaction
-- People type a name without its special letters and accents: "kwabena" finds Kwabɛna, "cafe" finds Café. This is a
-- function of plain SQL, because a hosted database may not allow the extension `unaccent`. None of these tables is written
-- by a purchase.

-- A text with plain small letters: accents are taken off, and letters of Ghanaian alphabets become the Latin ones that
-- people type for them.
create or replace function fold_letters(words text) returns text
language sql immutable strict parallel safe as $$
  select lower(translate(regexp_replace(normalize(words, NFKD), '[\u0300-\u036f]', '', 'g'),
    'ƐɛƆɔŊŋƉɖƑƒƔɣƲʋƁɓƊɗƘƙƷʒƖɩƱʊØøŁłĐđı', 'EeOoNnDdFfGgVvBbDdKkZzIiUuOoLlDdi'))
$$;

drop index concurrently if exists accounts_by_folded_parts;
create index concurrently accounts_by_folded_parts on accounts
  using gin (search_parts(' ' || fold_letters(name || ' ' || email)));

drop index concurrently if exists persons_by_folded_parts;
create index concurrently persons_by_folded_parts on persons
  using gin (search_parts(' ' || fold_letters(name || ' ' || email)));

drop index concurrently if exists business_requests_by_folded_parts;
create index concurrently business_requests_by_folded_parts on business_requests
  using gin (search_parts(' ' || fold_letters(name)));

-- Older processes that search while this is carried out read the tables instead.
drop index concurrently if exists accounts_by_parts;
drop index concurrently if exists persons_by_parts;
drop index concurrently if exists business_requests_by_parts;
drop index concurrently if exists accounts_by_words;

-- Without fresh figures about the new indexes the planner would guess.
analyze accounts, persons, business_requests;
