/**
 * Letters of Ghanaian alphabets, and some others. The letter at the same index of `plain` is the Latin one that people type
 * for it. The function `fold_letters` of the database has the same two lists.
 */
const special = 'ƐɛƆɔŊŋƉɖƑƒƔɣƲʋƁɓƊɗƘƙƷʒƖɩƱʊØøŁłĐđı'
const plain = 'EeOoNnDdFfGgVvBbDdKkZzIiUuOoLlDdi'

/** A text in plain small letters, so that "esenam" finds Ɛsɛnam. */
export function foldLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/\p{L}/gu, (letter) => plain[special.indexOf(letter)] ?? letter)
    .toLowerCase()
}

/** True when every word of the text begins a word of the title. Accents and capitals do not matter. */
export function matchesWords(text: string, title: string): boolean {
  const wordsOf = (some: string) =>
    foldLetters(some)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
  const begun = wordsOf(title)
  const typed = wordsOf(text)
  return typed.every((word) => begun.some((other) => other.startsWith(word)))
}
