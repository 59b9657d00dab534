import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { locale } from '../../languages/in-language.ts'
import { countedWords } from '../counted-words.ts'
import { fieldWords as words } from '../field-words.ts'
import { bindText } from '../form/typed.ts'
import { FileLink } from '../list/file-link.tsx'
import { dayOf, showDay } from '../moments/format-moment.ts'
import css from './monthly-statement.module.css'

const monthsShown = 13
const monthWords = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' })

/** A month as a choice: its name for the API, such as `2026-11`, and its name for people. */
type MonthChoice = { readonly value: string; readonly label: string }

/** The last thirteen months in Accra, the present one first. */
function listMonths(): MonthChoice[] {
  const [year = 0, month = 1] = dayOf(new Date()).split('-').map(Number)
  return Array.from({ length: monthsShown }, (_, ago) => {
    const first = new Date(Date.UTC(year, month - 1 - ago))
    return { value: first.toISOString().slice(0, 7), label: monthWords.format(first) }
  })
}

/** One of the PDF files of a long statement. */
type StatementPart = {
  readonly part: number
  readonly entries: number
  readonly from: string | null
  readonly to: string | null
}

/** The first and the last day of the part. Two parts name the same day when the border between them lies within it. */
function daysOf({ from, to }: StatementPart): string {
  if (from === null || to === null) return ''
  const [first, last] = [showDay(from), showDay(to)]
  return first === last ? first : words.fromTo(first, last)
}

type Props = {
  /** The label of the field for the month. */
  readonly label: string
  readonly topic: string
  /** The address of a file without its month: `/app/api/wallet/statement.csv?purse=main`. */
  readonly addressOf: (type: 'pdf' | 'csv') => string
  /** Reads the parts of a month's statement. */
  readonly read: (month: string, signal: AbortSignal) => Promise<{ readonly parts: readonly StatementPart[] }>
}

/** Links to a month's statement: one PDF or, for a long month, one for each part of it; and the CSV file. */
export function MonthlyStatement({ label, topic, addressOf, read }: Props) {
  const months = listMonths()
  const [month, setMonth] = useState(months[0]?.value ?? '')
  const { data: { parts } = { parts: [] } } = useQuery({
    queryKey: [topic, addressOf('pdf'), month],
    queryFn: ({ signal }) => read(month, signal),
  })
  const pdf = (name: string, part?: StatementPart) => (
    <Button
      key={part?.part ?? 0}
      component="a"
      href={`${addressOf('pdf')}&month=${month}${part ? `&part=${part.part}` : ''}`}
      download
      variant="light"
    >
      {name}
      {part && ` · ${daysOf(part)}`}
    </Button>
  )
  return (
    <div className={css.statement}>
      <NativeSelect label={label} data={months} {...bindText(month, setMonth)} />
      {parts.length > 1 ? parts.map((part) => pdf(countedWords.pdfPart(part.part, parts.length), part)) : pdf(words.pdf)}
      <FileLink href={`${addressOf('csv')}&month=${month}`} variant="default" label={words.csv} />
      {parts.length > 1 && <p>{countedWords.pdfParts}</p>}
    </div>
  )
}
