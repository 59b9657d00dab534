import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { AmountKind } from '../../both/money/read-amount.ts'
import type { CheckedLine } from './checked-lines.tsx'
import { readLines, type WrittenLine } from './read-lines.ts'

/** The most lines of one purchase. */
const linesMax = 100
const typingMilliseconds = 350

/** The server's answer about lines. */
export type Checked = {
  readonly lines: readonly CheckedLine[]
  readonly ready: number
  readonly total: number
  readonly balance: number
  readonly balance_after: number
}

/** How the lines of a product are read and checked. `Line` is a line as the server takes it. */
export type LinesOf<Line> = {
  readonly networks: readonly string[]
  /** Whether a line has a bundle size in GB or an amount in GHS. */
  readonly kind: AmountKind
  /** Undefined: a choice is still missing. */
  readonly lineOf: (line: WrittenLine) => Line | undefined
  readonly check: (lines: Line[], signal?: AbortSignal) => Promise<Checked>
}

/** Checks the lines of the field on the server, a moment after the last key. */
export function useCheckedLines<Line>(form: string, text: string, { networks, kind, lineOf, check }: LinesOf<Line>) {
  const field = useRef<HTMLTextAreaElement>(null)
  const written = readLines(text, networks, kind)
  const places = written.flatMap((line, place) => (line ? [place] : []))
  const unreadable = written.find((line) => line?.problem !== undefined)
  const lines = written
    .flatMap((line) => (line && line.problem === undefined ? [lineOf(line)] : []))
    .filter((line) => line !== undefined)
  const isChosen = lines.length === places.length
  const isTooMany = lines.length > linesMax
  const key = JSON.stringify(lines)
  const [settled] = useDebouncedValue(key, typingMilliseconds)
  const query = useQuery({
    queryKey: ['check', form, settled],
    queryFn: async ({ signal }) => ({ key: settled, checked: await check(JSON.parse(settled) as Line[], signal) }),
    enabled: settled === key && lines.length > 0 && isChosen && !isTooMany,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const isCurrent = lines.length > 0 && isChosen && query.data?.key === key
  return {
    field,
    lines,
    places,
    isChosen,
    isTooMany,
    /** The first line whose size or amount cannot be read. Nothing is checked or bought until it is corrected. */
    unreadable,
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
