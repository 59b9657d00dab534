import { Button } from '@mantine/core'
import { FileLink } from '../list/file-link.tsx'
import { showDay } from '../moments/format-moment.ts'
import { sharedWords as words } from '../words.ts'

/** One of the PDF files of a long statement. */
export type StatementPart = {
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

/** Links to a statement's files: one document or, for a long month, one for each part of it; and the table. */
export function StatementFiles({
  addressOf,
  parts = [],
}: {
  /** The address of the file of a type, and of a part of it. */
  readonly addressOf: (type: 'pdf' | 'csv', part?: number) => string
  readonly parts: readonly StatementPart[] | undefined
}) {
  const pdf = (name: string, part?: StatementPart) => (
    <Button key={part?.part ?? 0} component="a" href={addressOf('pdf', part?.part)} download variant="light">
      {name}
      {part && ` · ${daysOf(part)}`}
    </Button>
  )
  return (
    <>
      {parts.length > 1 ? parts.map((part) => pdf(words.pdfPart(part.part, parts.length), part)) : pdf(words.pdf)}
      <FileLink href={addressOf('csv')} variant="default" label={words.csv} />
      {parts.length > 1 && <p>{words.pdfParts}</p>}
    </>
  )
}
