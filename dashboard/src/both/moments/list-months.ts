import { locale } from '../../languages/in-language.ts'
import { dayOf } from './format-moment.ts'

const monthsShown = 13
const monthWords = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' })

/** A month as a choice: its name for the API, such as `2026-11`, and its name for people. */
export type MonthChoice = { readonly value: string; readonly label: string }

/** The last thirteen months in Accra, the present one first. */
export function listMonths(): MonthChoice[] {
  const [year = 0, month = 1] = dayOf(new Date()).split('-').map(Number)
  return Array.from({ length: monthsShown }, (_, ago) => {
    const first = new Date(Date.UTC(year, month - 1 - ago))
    return { value: first.toISOString().slice(0, 7), label: monthWords.format(first) }
  })
}
