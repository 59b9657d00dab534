import { mapInPieces } from '../../../platform/in-pieces.ts'
import { type EncodedText, encodeText, type SmsSegmentRule } from './encode-text.ts'
import { spellPlainly } from './list-unusual-characters.ts'

/** `{name}`, also with capitals or blanks, so that a mistyped one is not sent as it stands. */
const token = /\{\s*name\s*\}/iu
const everyToken = new RegExp(token, 'giu')

/** True when a text of the app has a place for the recipient's name. In a text of a program, `{name}` is literal text. */
export const hasNameToken = (message: string): boolean => token.test(message)

/** The names that a campaign of the app may use. */
export type NameSource = {
  /** Names by number: 233 and nine digits. */
  readonly names: ReadonlyMap<string, string>
  /** The word for numbers without a name, such as `customer`. Undefined or blank: the sender gave none. */
  readonly fallback: string | undefined
}

/** A text with names filled in. `names` and `segments` have one entry per recipient, in their order. */
export type FilledTexts = {
  readonly names: readonly string[]
  readonly segments: readonly number[]
  /** Each different text once. */
  readonly texts: readonly string[]
  readonly longest: EncodedText
}

export const fillInName = (message: string, name: string): string => message.replaceAll(everyToken, () => name)

/** Invisible characters, among them controls, halves of surrogate pairs and those that change the reading direction. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Makes a saved name fit into a text: one line, no invisible characters, no emoji, and plain quotes and dashes. Phones insert
 * curly quotes, and one of them can double the segments of a text. All letters stay.
 * @returns undefined when nothing is left, or when the text with this name would still contain `{name}`
 */
function usableName(message: string, given: string | undefined): string | undefined {
  const oneLine = (given ?? '').normalize('NFC').replaceAll(/\s/g, ' ').replaceAll(unseen, '')
  const plain = oneLine.replaceAll(/[\p{P}\p{S}]/gu, spellPlainly)
  const name = plain.replaceAll(/ +/g, ' ').trim()
  return name === '' || hasNameToken(fillInName(message, name)) ? undefined : name
}

/**
 * Counts the recipients without a saved name, and chooses each recipient's word in place of `{name}`.
 * @returns `words`: undefined for a recipient that has neither a name nor the fallback
 */
export function chooseNames(
  message: string,
  recipients: readonly string[],
  { names, fallback }: NameSource,
): { readonly unnamed: number; readonly words: readonly (string | undefined)[] } {
  const instead = usableName(message, fallback)
  let unnamed = 0
  const words = recipients.map((recipient) => {
    const name = usableName(message, names.get(recipient))
    if (name === undefined) unnamed += 1
    return name ?? instead
  })
  return { unnamed, words }
}

/** Texts of one turn of the event loop: encoding takes some 30 µs each. */
export const textsAtOnce = 100

/**
 * Fills in the names and counts the segments of each text, each different name once.
 * @param names one for each recipient, at least one
 */
export async function fillInNames(message: string, names: readonly string[], rule: SmsSegmentRule): Promise<FilledTexts> {
  const unique = [...new Set(names)]
  const texts = unique.map((name) => fillInName(message, name))
  const encoded = await mapInPieces(texts, (text) => encodeText(text, rule), textsAtOnce)
  const segmentsByName = new Map(unique.map((name, index) => [name, encoded[index]?.segments.length ?? 0]))
  const longest = encoded.reduce((most, each) => (each.segments.length > most.segments.length ? each : most))
  return { names, segments: names.map((name) => segmentsByName.get(name) ?? 0), texts, longest }
}
