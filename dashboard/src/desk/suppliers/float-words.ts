import { suppliersWords } from '../words/suppliers.ts'

const monthHours = 31 * 24

/** How long a float lasts, in words; a dash where nothing is known. */
export function hoursLeftWords(hours: number | null): string {
  if (hours === null) return suppliersWords.none
  return hours > monthHours ? suppliersWords.lastsLong : suppliersWords.hoursLeft(hours)
}
