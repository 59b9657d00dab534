/** The languages of the app, by the names that their readers know. The desk is in English. */
export const languageNames = { en: 'English', fr: 'Français', tw: 'Twi' } as const

export type Language = keyof typeof languageNames

export const languages = Object.keys(languageNames) as readonly Language[]

/**
 * The name of the choice in the browser's local storage. It belongs to the device, so the sign-in uses it too. A sign-out
 * deletes only names that begin with `makola.`, so the choice stays.
 */
export const choiceKey = 'language'

/**
 * In the app: the chosen language or, before the first choice, the browser's, with `ak` (Akan) taken as Twi. English outside
 * the app, and for a browser in any other language.
 */
function readLanguage(): Language {
  // Node, in which tests read the words, has no `location`.
  const { location } = globalThis as { readonly location?: { readonly pathname: string } }
  if (location?.pathname.startsWith('/app') !== true) return 'en'
  const chosen = localStorage.getItem(choiceKey) ?? navigator.language.slice(0, 2).replace('ak', 'tw')
  return languages.find((each) => each === chosen) ?? 'en'
}

export const language = readLanguage()

/** How `Intl` writes days and months. In Twi they are as Ghanaians write them in English. */
export const locale = language === 'fr' ? 'fr' : 'en-GB'

type Texts = Record<string, unknown>

/** The texts of a language, by the names of the objects whose texts they replace. */
export type Dictionary = Readonly<Record<string, object>>

let dictionary: Dictionary | undefined
const notTranslated: [name: string, texts: object][] = []

function translate(texts: object, translated: object = {}): void {
  for (const [key, word] of Object.entries(translated)) {
    const own = texts as Texts
    if (typeof word === 'object') translate(own[key] as object, word as object)
    else own[key] = word
  }
}

/**
 * Texts in the chosen language. A text that its dictionary does not have stays in English. Loading the dictionary changes these
 * objects, so read a text when a screen is drawn, not when its file is loaded.
 *
 * @param name the name of the exported object; the dictionary has its translation under the same name
 * @param english the texts, and functions that make a text of their values
 */
export function inLanguage<Words extends object>(name: string, english: Words): Words {
  if (dictionary) translate(english, dictionary[name])
  else notTranslated.push([name, english])
  return english
}

/** Translates the texts that are registered, and from then on each new one. */
export function translateWith(loaded: Dictionary): void {
  dictionary = loaded
  for (const [name, texts] of notTranslated) translate(texts, loaded[name])
}
