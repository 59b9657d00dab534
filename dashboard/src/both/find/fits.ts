import { foldLetters } from '../fold-letters.ts'

/** Whether every word of the text begins a word of the title, whatever its accents. */
export function fits(text: string, title: string): boolean {
  const wordsOf = (some: string) =>
    foldLetters(some)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
  const begun = wordsOf(title)
  const typed = wordsOf(text)
  return typed.every((word) => begun.some((other) => other.startsWith(word)))
}
