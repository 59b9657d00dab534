import { choiceKey, type Language } from './in-language.ts'

/** Keeps the choice and loads the app anew in its language. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(choiceKey, chosen)
  location.reload()
}
