import type { ReactNode } from 'react'
import css from './table-or-cards.module.css'

export type Column<T> = {
  readonly title: string
  readonly show: (row: T) => ReactNode
  /** Figures stand at the right. */
  readonly isFigure?: boolean
  /** The one thing that matters: bold, and the head of the card on a phone. */
  readonly isMain?: boolean
}

type Props<T> = {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** Makes a row selectable, by click and by keyboard. */
  readonly onSelect?: (row: T) => void
  readonly selectedKey?: string | undefined
}

/** A dense table with a sticky head on wide screens; on a phone each row is a card with the columns' titles. */
export function TableOrCards<T>({ label, columns, rows, keyOf, onSelect, selectedKey }: Props<T>) {
  return (
    <table className={css.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, isFigure }) => (
            <th key={title} scope="col" className={isFigure ? css.figure : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = keyOf(row)
          return (
            <tr
              key={key}
              className={key === selectedKey ? css.selected : undefined}
              aria-selected={onSelect && key === selectedKey}
            >
              {columns.map(({ title, show, isFigure, isMain }) => (
                <td key={title} data-title={title} className={`${isFigure ? css.figure : ''} ${isMain ? css.main : ''}`}>
                  {isMain && onSelect ? (
                    <button type="button" className={css.select} onClick={() => onSelect(row)}>
                      {show(row)}
                    </button>
                  ) : (
                    show(row)
                  )}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
