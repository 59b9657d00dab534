import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import * as french from './fr/dictionary.ts'
import * as twi from './tw/dictionary.ts'

const source = fileURLToPath(new URL('../', import.meta.url))

/** Texts by their path, such as `buyWords.acts.data`. A text may be a function of its values. */
type Leaves = Map<string, unknown>

/** The parts of texts that are no words. */
const notWords = ['tone', 'href']

function readLeaves(texts: unknown, path: string, leaves: Leaves): void {
  if (typeof texts !== 'object' || texts === null) leaves.set(path, texts)
  else {
    for (const [key, text] of Object.entries(texts)) if (!notWords.includes(key)) readLeaves(text, `${path}.${key}`, leaves)
  }
}

/** The names that texts give to `inLanguage`, with the file and the name under which the file exports them. */
function listNamed(): { file: string; exported: string | undefined; name: string | undefined }[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('languages/'))
    .flatMap((file) => {
      const [first = '', ...rest] = readFileSync(`${source}${file}`, 'utf8').split(/inLanguage\(\s*'/)
      let before = first
      return rest.map((part) => {
        const exported = [...before.matchAll(/const (\w+)/g)].at(-1)?.[1]
        before = part
        return { file, exported, name: /^\w+/.exec(part)?.[0] }
      })
    })
}

const named = listNamed()
const english: Leaves = new Map()
for (const { file, name = '' } of named) {
  const texts = (await import(`${source}${file}`)) as Record<string, unknown>
  readLeaves(texts[name], name, english)
}

/** Names, abbreviations and examples that are the same in every language. */
const names =
  /^(?:sms|afa|pin|pdf|csv|whatsapp|makola|webhooks|mtn|momo|ghana|water|ms|agent|ctrl|dealer|e-mail|ama|mensah|ghs|gha|k|x)$/

/** Words that traders use as they are. A text that has others too must differ from the English one. */
const loanwords = {
  french: 'bouquet code commission contacts correction data h logo min sessions type',
  twi:
    'account accounts address airtime api back-up bill bills bouquet bundle code commission contacts copy credit credits data ' +
    'developer download endpoint factor fee filters id key line logo mail main meter network order orders password receipt ' +
    'reference request role second serial sessions statement supplier suppliers top-up voucher vouchers wallet',
}

/** True when each word of a text may be the same as in English. */
const maySame = (text: string, loans: string): boolean =>
  (text.toLowerCase().match(/[a-z]+(?:-[a-z]+)*/g) ?? []).every((word) => names.test(word) || loans.split(' ').includes(word))

/** Numbers that a text has, such as `100` or `*170#`. */
const numbersIn = (text: string): readonly string[] => text.match(/\d[\d,.]*\d|\d/g) ?? []

/** Makes a text of these values, if it is a function. @returns undefined when the function refuses the values */
function say(text: unknown, values: readonly unknown[]): string | undefined {
  if (typeof text === 'string') return text
  try {
    return String((text as (...given: readonly unknown[]) => unknown)(...values))
  } catch {
    // The function takes strings only, and these values are numbers.
    return undefined
  }
}

const samples = [
  ['7', '23', '31', '47'],
  [7, 23, 31, 47],
  [23, 7, 31, 47],
  [1, 1, 1, 1],
  [0, 0, 0, 0],
]

/** Figures that the English text has and its translation lacks, for each sample of values. */
function listLostNumbers(path: string, translated: unknown): string[] {
  return samples.flatMap((values) => {
    const [from, to] = [say(english.get(path), values), say(translated, values)]
    const lost = from === undefined ? [] : numbersIn(from).filter((each) => to?.includes(each) !== true)
    return lost.length > 0 ? [`${path}: “${from}” became “${to}”`] : []
  })
}

test('every text has the name under which it is exported, and no two have one name', () => {
  expect(named.filter(({ exported, name }) => exported !== name)).toEqual([])
  const names = named.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  expect(english.size).toBeGreaterThan(900)
})

const languages = [
  { language: 'French', dictionary: french, same: loanwords.french },
  { language: 'Twi', dictionary: twi, same: loanwords.twi },
]

describe.each(languages)('$language', ({ dictionary, same }) => {
  const translated: Leaves = new Map()
  for (const [name, texts] of Object.entries(dictionary)) readLeaves(texts, name, translated)

  test('has every text of the app, and no other', () => {
    expect([...english.keys()].filter((path) => !translated.has(path))).toEqual([])
    expect([...translated.keys()].filter((path) => !english.has(path))).toEqual([])
  })

  test('leaves nothing in English that is not meant to be', () => {
    const left = [...translated].flatMap(([path, text]) => {
      const [from, to] = [say(english.get(path), samples[0] ?? []), say(text, samples[0] ?? [])]
      return to !== undefined && from === to && !maySame(to, same) ? [`${path}: ${to}`] : []
    })
    expect(left).toEqual([])
  })

  test('keeps every value and every figure of the English text', () => {
    expect([...translated].flatMap(([path, text]) => listLostNumbers(path, text))).toEqual([])
  })
})
