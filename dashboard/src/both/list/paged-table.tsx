import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fieldWords } from '../field-words.ts'
import { Empty, type EmptyWords } from '../layout/query-states.tsx'
import { MorePages } from './more-pages.tsx'
import { type Column, TableOrCards } from './table-or-cards.tsx'
import { type SteadyRows, useSteadyRows } from './use-steady-rows.ts'

type TableProps<Row> = {
  /**
   * A name for the list with its filters: its rows stay in their places while somebody reads, and the list begins anew when the
   * name changes. Absent: new rows are shown at once.
   */
  readonly name?: string
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  readonly selected?: string | undefined
  /** Opens a row by its key. Absent where rows cannot be opened. */
  readonly onSelect?: ((key: string) => void) | undefined
  /** Makes rows tickable. Draws the actions on the ticked rows, above the list. */
  readonly acts?: ((ticked: readonly Row[], clear: () => void) => ReactNode) | undefined
}

/** Shows above a list that new rows wait, with a button that adds them. */
export function NewRows({ rows: { newCount, showNew } }: { readonly rows: SteadyRows<unknown> }) {
  return (
    <div role="status">
      {newCount > 0 && (
        <Button variant="light" size="compact-sm" onClick={showNew}>
          {fieldWords.showNew(newCount)}
        </Button>
      )}
    </div>
  )
}

/** A table. If it has a name, its rows stay in their places while somebody reads, and new ones wait above it. */
function LiveTable<Row>(props: TableProps<Row> & { readonly rows: readonly Row[] }) {
  const { name, label, columns, rows: given, keyOf, selected, onSelect, acts } = props
  const live = useSteadyRows(name ?? '', given, keyOf)
  const shown = name === undefined ? given : live.shown
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  return (
    <>
      {name !== undefined && <NewRows rows={live} />}
      {acts?.(
        shown.filter((row) => ticked.has(keyOf(row))),
        () => setTicked(new Set()),
      )}
      <TableOrCards<Row>
        label={label}
        columns={columns}
        rows={shown}
        keyOf={keyOf}
        selectedKey={selected}
        ticks={acts && { keys: ticked, set: setTicked }}
        onSelect={onSelect && ((row) => onSelect(keyOf(row)))}
      />
    </>
  )
}

type Props<Page, Row> = TableProps<Row> & {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page>>
  readonly rowsOf: (page: Page) => readonly Row[]
  /** The words of the button for the next page. */
  readonly more: string
  /** Shown in place of the table when there is no row. Absent: nothing. */
  readonly empty?: EmptyWords | undefined
}

/** A list that comes in pages, as a table. */
export function PagedTable<Page, Row>({ query, rowsOf, more, empty, ...table }: Props<Page, Row>) {
  return (
    <MorePages query={query} more={more}>
      {(pages) => {
        const rows = pages.flatMap(rowsOf)
        if (rows.length > 0) return <LiveTable<Row> {...table} rows={rows} />
        return empty && <Empty title={empty.title}>{empty.next}</Empty>
      }}
    </MorePages>
  )
}
