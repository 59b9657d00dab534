import type { ReactNode } from 'react'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { NewRows } from './new-rows.tsx'
import { useLiveRows } from './use-live-rows.ts'

type Props<T> = {
  /** A name for the list with its filters. When the name changes, the list begins anew. */
  readonly name: string
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  readonly selected?: string | undefined
  /** Opens a row by its key. Absent where rows cannot be opened. */
  readonly onSelect?: (key: string) => void
  /** Shown in place of the table when there is no row. Absent where the screen shows that itself. */
  readonly empty?: ReactNode
}

/** A table whose rows stay in their places while somebody reads; new ones wait above it. */
export function LiveTable<T>({ name, label, columns, rows: given, keyOf, selected, onSelect, empty }: Props<T>) {
  const rows = useLiveRows(name, given, keyOf)
  if (rows.shown.length === 0) return empty
  return (
    <>
      <NewRows rows={rows} />
      <TableOrCards
        label={label}
        columns={columns}
        rows={rows.shown}
        keyOf={keyOf}
        selectedKey={selected}
        {...(onSelect && { onSelect: (row: T) => onSelect(keyOf(row)) })}
      />
    </>
  )
}
