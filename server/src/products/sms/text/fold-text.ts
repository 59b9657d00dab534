/** Letters of other alphabets and signs that look like Latin letters. Used after NFKC, which handles most others. */
const lookAlikes: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  ё: 'e',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  і: 'i',
  ї: 'i',
  ј: 'j',
  ѕ: 's',
  ԁ: 'd',
  ԛ: 'q',
  ԝ: 'w',
  ь: 'b',
  г: 'r',
  п: 'n',
  и: 'u',
  ӏ: 'i',
  һ: 'h',
  α: 'a',
  β: 'b',
  γ: 'y',
  δ: 'd',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  μ: 'u',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  σ: 'o',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ω: 'w',
  ς: 's',
  ɑ: 'a',
  ƅ: 'b',
  ϲ: 'c',
  ɡ: 'g',
  ɢ: 'g',
  ʜ: 'h',
  ɪ: 'i',
  ı: 'i',
  ʟ: 'l',
  ᴍ: 'm',
  ɴ: 'n',
  ᴏ: 'o',
  ᴘ: 'p',
  ʀ: 'r',
  ꜱ: 's',
  ᴛ: 't',
  ᴜ: 'u',
  ᴠ: 'v',
  ᴡ: 'w',
  ʏ: 'y',
  ᴄ: 'c',
  ᴅ: 'd',
  ᴇ: 'e',
  ᴀ: 'a',
  ʙ: 'b',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ɔ: 'o',
  ɛ: 'e',
  ŋ: 'n',
  ɩ: 'i',
  ƒ: 'f',
  ꜰ: 'f',
  ғ: 'f',
  ᴋ: 'k',
  օ: 'o',
  ս: 'u',
  ո: 'n',
  հ: 'h',
  ꭺ: 'a',
  ᏼ: 'b',
  ꮯ: 'c',
  ꭰ: 'd',
  ꭼ: 'e',
  ꮋ: 'h',
  ꮮ: 'l',
  ꮇ: 'm',
  ꮲ: 'p',
  ꮢ: 'r',
  ꮪ: 's',
  ꭲ: 't',
  ꮩ: 'v',
  ꮤ: 'w',
  ꭹ: 'y',
  '€': 'e',
  '₲': 'g',
}

/** Digits and signs used as letters. `l` becomes `i`, because `1` and `|` are used for both. */
const letterStandIns: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  '¢': 'c',
  '₵': 'c',
  l: 'i',
}

/** White letters on black: circled from U+1F150, squared from U+1F170. NFKC handles only black letters on white. */
const enclosed = /[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}]/u

function letterWithin(character: string): string {
  const place = ((character.codePointAt(0) ?? 0) - 0x1f150) % 0x20
  return String.fromCodePoint(0x61 + place)
}

function foldCharacter(character: string): string {
  return enclosed.test(character) ? letterWithin(character) : (lookAlikes[character] ?? character)
}

/** A text as a reader sees it, whatever signs it uses. */
export type FoldedText = {
  /** In lower case, without accents, look-alike letters replaced. Digits stay digits. */
  readonly plain: string
  /** The same text with digits and signs replaced by the letters that they imitate. Words are searched in this form. */
  readonly letters: string
}

/** Folds a text for matching: Unicode NFKC, lower case, marks and invisible characters removed, look-alikes folded. */
export function foldText(text: string): FoldedText {
  const bare = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
  const plain = Array.from(bare, foldCharacter).join('')
  return { plain, letters: foldLetters(plain) }
}

/** Folds digits and signs used as letters. Phrases of rules are folded in the same way. */
export function foldLetters(plain: string): string {
  let letters = ''
  for (const character of plain) letters += letterStandIns[character] ?? character
  return letters
}
