import { fieldWords } from '../../both/field-words.ts'
import { PagedTable } from '../../both/list/paged-table.tsx'
import { type Column } from '../../both/list/table-or-cards.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatCount } from '../../both/money/format-ghs.ts'
import { useMay } from '../me.ts'
import { reconcileWords, statementWords } from '../words/reconcile.ts'
import { type StatementRow, useStatements } from './ask-reconcile.ts'
import { ImportForm } from './import-form.tsx'
import css from './reconcile.module.css'

const countOf = (count: number | null) => (count === null ? fieldWords.none : formatCount(count))

const columns: readonly Column<StatementRow>[] = [
  { title: statementWords.file, show: ({ file_name: name }) => name, isMain: true },
  { title: fieldWords.supplier, show: ({ supplier }) => supplier },
  { title: statementWords.imported, show: ({ imported_at: at }) => <Moment at={at} /> },
  { title: statementWords.lines, show: ({ lines }) => formatCount(lines), isFigure: true },
  { title: statementWords.matched, show: ({ matched }) => countOf(matched), isFigure: true },
  { title: reconcileWords.kinds.ours_only, show: ({ ours_only: count }) => countOf(count), isFigure: true },
  { title: reconcileWords.kinds.theirs_only, show: ({ theirs_only: count }) => countOf(count), isFigure: true },
  { title: reconcileWords.kinds.amount_differs, show: ({ amount_differs: count }) => countOf(count), isFigure: true },
  { title: fieldWords.open, show: ({ open }) => formatCount(open), isFigure: true },
]

/** The columns beside the panel, where there is less room. */
const narrowColumns = [columns[0], columns[1], columns[2], columns[8]].filter((column) => column !== undefined)

type Props = { readonly selected: string | undefined; readonly onSelect: (id: string) => void }

export function StatementsView({ selected, onSelect }: Props) {
  const mayReconcile = useMay('reconcile')
  const query = useStatements()
  const bytesMax = query.data?.pages[0]?.upload_bytes_max
  return (
    <>
      {mayReconcile && bytesMax !== undefined && <ImportForm bytesMax={bytesMax} />}
      <div className={css.below}>
        <PagedTable
          query={query}
          rowsOf={({ statements }) => statements}
          more={fieldWords.showMore}
          label={statementWords.list}
          columns={selected === undefined ? columns : narrowColumns}
          keyOf={({ statement_id }) => statement_id}
          selected={selected}
          onSelect={onSelect}
          empty={{ title: statementWords.emptyTitle, next: statementWords.emptyHelp }}
        />
      </div>
    </>
  )
}
