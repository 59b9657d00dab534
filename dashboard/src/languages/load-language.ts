import { type Dictionary, type Language, language, translateWith } from './in-language.ts'

const dictionaries: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Dictionary>>> = {
  fr: () => import('./fr/dictionary.ts'),
  tw: () => import('./tw/dictionary.ts'),
}

/** Loads the dictionary of the chosen language. If it cannot be loaded, the app is in English. */
export async function loadLanguage(): Promise<void> {
  if (language === 'en') return
  const dictionary = await dictionaries[language]().catch(() => undefined)
  if (!dictionary) return
  document.documentElement.lang = language
  translateWith(dictionary)
}
