import { choiceKey, type Language } from './in-language.ts'

export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(choiceKey, chosen)
  location.reload()
}
