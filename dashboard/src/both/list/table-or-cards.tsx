import { type KeyboardEvent, type MouseEvent, memo, type ReactNode, useEffect, useRef } from 'react'
import { fieldWords } from '../field-words.ts'
import { Empty, type EmptyWords } from '../layout/query-states.tsx'
import { chunkRows, RowChunk } from './row-chunk.tsx'
import css from './table-or-cards.module.css'
import { useTableWidth } from './use-table-width.ts'

export type Column<T> = {
  readonly title: string
  readonly show: (row: T) => ReactNode
  /** Figures are aligned to the right. */
  readonly isFigure?: boolean
  /** True for the column that matters most: its cells are bold, and on a phone they are the heads of the cards. */
  readonly isMain?: boolean
  /** The value by which `SortedTable` sorts the rows. Null comes last. */
  readonly sortBy?: (row: T) => number | string | null
}

/** The column by which rows are sorted. `onPress` is called when somebody presses the head of a column. */
export type Sort = { readonly title: string; readonly isDown: boolean; readonly onPress: (title: string) => void }

/** The ticked rows, for actions on many at once. */
export type Ticks = { readonly keys: ReadonlySet<string>; readonly set: (keys: ReadonlySet<string>) => void }

type Props<T> = {
  readonly label: string
  /** Must be the same array each time. Otherwise unchanged rows are drawn again. */
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** Makes a row selectable, by click and by keyboard. */
  readonly onSelect?: ((row: T) => void) | undefined
  readonly selectedKey?: string | undefined
  readonly ticks?: Ticks | undefined
  /** Shown in place of the table when there is no row. */
  readonly empty?: EmptyWords
  /** Shows in the heads how the given rows are sorted, and lets the reader change that. Absent: the heads are no buttons. */
  readonly sort?: Sort | undefined
  /** A last row that is not sorted, such as a total. */
  readonly foot?: T | undefined
}

/** Moves the focus among the buttons of the rows: arrows or j and k, Home and End. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event
  if (!(target instanceof HTMLButtonElement) || event.ctrlKey || event.metaKey || event.altKey) return
  const buttons = [...currentTarget.querySelectorAll<HTMLButtonElement>(`.${css.select}`)]
  const place = buttons.indexOf(target)
  if (place === -1) return
  const places: Readonly<Record<string, number>> = {
    ArrowDown: place + 1,
    j: place + 1,
    ArrowUp: place - 1,
    k: place - 1,
    Home: 0,
    End: buttons.length - 1,
  }
  const next = buttons[places[key] ?? -1]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(keys)
  if (!after.delete(key)) after.add(key)
  return after
}

/** True when a click should open the row. A click on a control in the row, or one that selects text, should not. */
function isForRow({ target }: MouseEvent): boolean {
  const isOther =
    target instanceof Element && target.closest('a, button, input, select, textarea, label, summary, dialog') !== null
  return !isOther && (getSelection()?.isCollapsed ?? true)
}

type RowProps<T> = Pick<Props<T>, 'columns' | 'onSelect'> & {
  readonly row: T
  /** The number of the row in the table. The head is row 1. */
  readonly place: number
  readonly isSelected: boolean
  readonly isTicked: boolean | undefined
  readonly onTick: () => void
}

function TableRow<T>({ columns, row, place, onSelect, isSelected, isTicked, onTick }: RowProps<T>) {
  return (
    // Keyboard users press the button in the main cell instead.
    <tr
      className={`${onSelect ? css.opens : ''} ${isSelected ? css.selected : ''}`}
      aria-rowindex={place}
      aria-selected={onSelect && isSelected}
      onClick={onSelect && ((event) => isForRow(event) && onSelect(row))}
    >
      {isTicked !== undefined && (
        <td className={css.tick}>
          <input type="checkbox" aria-label={fieldWords.tick} checked={isTicked} onChange={onTick} />
        </td>
      )}
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
}

/**
 * True when both rows would look the same, so React need not draw again. Functions are not compared, because they always
 * call the newest version.
 */
const isSameRow = <T,>(before: RowProps<T>, after: RowProps<T>): boolean =>
  before.row === after.row &&
  before.place === after.place &&
  before.columns === after.columns &&
  before.isSelected === after.isSelected &&
  before.isTicked === after.isTicked

const KeptRow = memo(TableRow, isSameRow) as typeof TableRow

function ColumnHead<T>({
  column: { title, isFigure, sortBy },
  sort,
}: {
  readonly column: Column<T>
  readonly sort: Sort | undefined
}) {
  const isSorted = sort?.title === title
  return (
    <th
      scope="col"
      className={isFigure ? css.figure : undefined}
      aria-sort={isSorted ? (sort.isDown ? 'descending' : 'ascending') : undefined}
    >
      {sort && sortBy ? (
        <button type="button" className={css.sort} onClick={() => sort.onPress(title)}>
          {title}
          <span aria-hidden="true">{isSorted ? (sort.isDown ? ' ↓' : ' ↑') : ''}</span>
        </button>
      ) : (
        title
      )}
    </th>
  )
}

type HeadProps<T> = Pick<Props<T>, 'columns' | 'rows' | 'keyOf' | 'ticks' | 'sort'>

function TableHead<T>({ columns, rows, keyOf, ticks, sort }: HeadProps<T>) {
  const areAllTicked = ticks !== undefined && rows.length > 0 && rows.every((row) => ticks.keys.has(keyOf(row)))
  return (
    <thead>
      <tr>
        {ticks && (
          <th scope="col" className={css.tick}>
            <input
              type="checkbox"
              aria-label={fieldWords.tickAll}
              checked={areAllTicked}
              onChange={() => ticks.set(new Set(areAllTicked ? [] : rows.map(keyOf)))}
            />
          </th>
        )}
        {columns.map((column) => (
          <ColumnHead key={column.title} column={column} sort={sort} />
        ))}
      </tr>
    </thead>
  )
}

/** The rows in chunks, each with the index of its first row. */
function chunksOf<T>(rows: readonly T[]): { readonly start: number; readonly rows: readonly T[] }[] {
  return Array.from({ length: Math.ceil(rows.length / chunkRows) }, (_, index) => {
    const start = index * chunkRows
    return { start, rows: rows.slice(start, start + chunkRows) }
  })
}

function TableFoot<T>({ columns, row, place }: Pick<Parameters<typeof TableRow<T>>[0], 'columns' | 'row' | 'place'>) {
  return (
    <tfoot>
      <TableRow columns={columns} row={row} place={place} isSelected={false} isTicked={undefined} onTick={() => undefined} />
    </tfoot>
  )
}

/**
 * A dense table with a sticky head where its columns have room. Elsewhere, as on a phone or beside an open panel, each row is a
 * card with the columns' titles. Thousands of rows scroll smoothly, because only those near the window are drawn, and again only
 * when they change.
 */
export function TableOrCards<T>(props: Props<T>) {
  const { label, columns, rows, keyOf, onSelect, selectedKey, ticks, empty, sort, foot } = props
  // A row that is not drawn again still has its old functions, so these read the table's newest values from `latest`.
  const latest = useRef({ onSelect, ticks })
  useEffect(() => {
    latest.current = { onSelect, ticks }
  })
  const columnsCount = columns.length + (ticks ? 1 : 0)
  const { containerRef: around, hasRoom } = useTableWidth(columnsCount)
  if (empty && rows.length === 0) return <Empty title={empty.title}>{empty.next}</Empty>
  const chunks = chunksOf(rows)
  return (
    <div ref={around}>
      {/* The arrow keys are an addition: each button can be reached with Tab as well. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table
        className={`${css.table} ${hasRoom ? '' : css.cards}`}
        data-cards={hasRoom ? undefined : ''}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        onKeyDown={moveFocus}
      >
        <TableHead columns={columns} rows={rows} keyOf={keyOf} ticks={ticks} sort={hasRoom ? sort : undefined} />
        {chunks.map((chunk, index) => (
          <RowChunk
            key={chunk.start}
            // The keys Home and End move the focus to the first and the last row, so these must exist.
            isAlwaysDrawn={index === 0 || index === chunks.length - 1}
            columnsCount={columnsCount}
          >
            {chunk.rows.map((row, offset) => {
              const key = keyOf(row)
              return (
                <KeptRow
                  key={key}
                  columns={columns}
                  row={row}
                  place={chunk.start + offset + 2}
                  onSelect={onSelect && ((chosen: T) => latest.current.onSelect?.(chosen))}
                  isSelected={key === selectedKey}
                  isTicked={ticks?.keys.has(key)}
                  onTick={() => {
                    const { ticks: now } = latest.current
                    now?.set(toggled(now.keys, key))
                  }}
                />
              )
            })}
          </RowChunk>
        ))}
        {foot && <TableFoot columns={columns} row={foot} place={rows.length + 2} />}
      </table>
    </div>
  )
}
