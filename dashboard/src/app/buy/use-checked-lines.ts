import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { CheckedLinesAnswer, LinesProduct } from './lines-product.ts'
import { readLines, type WrittenLine } from './read-lines.ts'

/** The most lines of one purchase. */
const linesMax = 100
const typingMilliseconds = 350

/** A line that can be read, with its own size or the one that was chosen for all lines. */
export type SizedLine = Omit<WrittenLine, 'size' | 'problem'> & { readonly size: number }

/** The choices that apply to all lines. */
export type ChosenForLines<Line> = {
  readonly networks: readonly string[]
  /** The size or amount of lines that have none; undefined while none is chosen. */
  readonly size: number | undefined
  readonly lineOf: (line: SizedLine) => Line
}

/** Checks the lines of the field on the server, a moment after the last key. */
export function useCheckedLines<Line>(
  { product, kind, check }: LinesProduct<Line>,
  text: string,
  { networks, size: sizeOfAll, lineOf }: ChosenForLines<Line>,
) {
  const field = useRef<HTMLTextAreaElement>(null)
  const written = readLines(text, networks, kind)
  const places = written.flatMap((line, place) => (line ? [place] : []))
  const unreadable = written.flatMap((line, place) =>
    line?.problem === undefined ? [] : [{ place, recipient: line.recipient, words: line.problem }],
  )
  const sized = written.flatMap((line) => {
    const size = line?.size ?? sizeOfAll
    return line && line.problem === undefined && size !== undefined ? [{ ...line, size }] : []
  })
  const lines = sized.map(lineOf)
  const isChosen = lines.length === places.length
  const isTooMany = lines.length > linesMax
  const key = JSON.stringify(lines)
  const [settled] = useDebouncedValue(key, typingMilliseconds)
  const queries = useQueryClient()
  const keyOf = (text: string) => ['check', product, text]
  const query = useQuery({
    queryKey: keyOf(settled),
    queryFn: async ({ signal }) => ({ key: settled, checked: await check(JSON.parse(settled) as Line[], signal) }),
    enabled: settled === key && lines.length > 0 && isChosen && !isTooMany,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const isCurrent = lines.length > 0 && isChosen && query.data?.key === key
  return {
    field,
    lines,
    sizes: sized.map(({ size }) => size),
    places,
    isChosen,
    isTooMany,
    /** The lines whose size or amount cannot be read. Nothing is checked or bought until they are corrected. */
    unreadable,
    /** Shows a newer answer about the same lines. */
    show: (checked: CheckedLinesAnswer) => queries.setQueryData(keyOf(key), { key, checked }),
    /** The server's last answer, which may be about an older text of the field. */
    last: query.data?.checked,
    /** The server's answer about exactly the text in the field; undefined until it comes. */
    checked: isCurrent ? query.data?.checked : undefined,
    error: query.isError ? query.error : undefined,
    retry: () => void query.refetch(),
    /** Selects a line in the field, so that the person can write it again. */
    mend: (place: number) => {
      const rows = text.split('\n')
      const start = rows.slice(0, place).reduce((length, row) => length + row.length + 1, 0)
      field.current?.focus()
      field.current?.setSelectionRange(start, start + (rows[place]?.length ?? 0))
    },
  }
}
