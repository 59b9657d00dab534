import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef } from 'react'
import { sharedWords } from '../words.ts'
import css from './table-or-cards.module.css'

export type Column<T> = {
  readonly title: string
  readonly show: (row: T) => ReactNode
  /** Figures stand at the right. */
  readonly isFigure?: boolean
  /** Whether this column matters most: its cells are bold, and on a phone they are the heads of the cards. */
  readonly isMain?: boolean
}

/** The rows that are ticked, for what is done to many at once. */
export type Ticks = { readonly keys: ReadonlySet<string>; readonly set: (keys: ReadonlySet<string>) => void }

type Props<T> = {
  readonly label: string
  /** Must be the same array each time. Otherwise rows that have not changed are drawn again. */
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** Makes a row selectable, by click and by keyboard. */
  readonly onSelect?: ((row: T) => void) | undefined
  readonly selectedKey?: string | undefined
  readonly ticks?: Ticks | undefined
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

type RowProps<T> = Pick<Props<T>, 'columns' | 'onSelect'> & {
  readonly row: T
  readonly isSelected: boolean
  readonly isTicked: boolean | undefined
  readonly onTick: () => void
}

function TableRow<T>({ columns, row, onSelect, isSelected, isTicked, onTick }: RowProps<T>) {
  return (
    <tr className={isSelected ? css.selected : undefined} aria-selected={onSelect && isSelected}>
      {isTicked !== undefined && (
        <td className={css.tick}>
          <input type="checkbox" aria-label={sharedWords.tick} checked={isTicked} onChange={onTick} />
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
 * Whether a row would be drawn the same. Its functions are not compared, because they always call the functions that
 * the table was given last.
 */
const isSameRow = <T,>(before: RowProps<T>, after: RowProps<T>): boolean =>
  before.row === after.row &&
  before.columns === after.columns &&
  before.isSelected === after.isSelected &&
  before.isTicked === after.isTicked

const KeptRow = memo(TableRow, isSameRow) as typeof TableRow

/**
 * A dense table with a sticky head on wide screens; on a phone each row is a card with the columns' titles. A thousand
 * rows scroll smoothly, because a row is drawn again only when something of it has changed.
 */
export function TableOrCards<T>({ label, columns, rows, keyOf, onSelect, selectedKey, ticks }: Props<T>) {
  // A row that is not drawn again keeps the functions of its last drawing. So these functions read the table's newest
  // values, not those of that time.
  const latest = useRef({ onSelect, ticks })
  useEffect(() => {
    latest.current = { onSelect, ticks }
  })
  const areAllTicked = ticks !== undefined && rows.length > 0 && rows.every((row) => ticks.keys.has(keyOf(row)))
  return (
    // The arrow keys are an addition: each button can be reached with Tab as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <table className={css.table} aria-label={label} onKeyDown={moveFocus}>
      <thead>
        <tr>
          {ticks && (
            <th scope="col" className={css.tick}>
              <input
                type="checkbox"
                aria-label={sharedWords.tickAll}
                checked={areAllTicked}
                onChange={() => ticks.set(new Set(areAllTicked ? [] : rows.map(keyOf)))}
              />
            </th>
          )}
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
            <KeptRow
              key={key}
              columns={columns}
              row={row}
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
      </tbody>
    </table>
  )
}
